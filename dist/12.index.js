export const id = 12;
export const ids = [12];
export const modules = {

/***/ 1012:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  packSource: () => (/* binding */ packSource)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/http/timeout.js
var timeout = __webpack_require__(1642);
// EXTERNAL MODULE: ./build/inputs/reader.js
var reader = __webpack_require__(401);
// EXTERNAL MODULE: ./build/text/format.js
var format = __webpack_require__(3387);
// EXTERNAL MODULE: ./build/text/message.js
var text_message = __webpack_require__(3597);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/text/json.js
var json = __webpack_require__(5666);
// EXTERNAL MODULE: ./build/source/source-files.js
var source_files = __webpack_require__(9713);
;// CONCATENATED MODULE: ./build/source/app-config.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});





/**
 * Why the build can't start from the configuration file, or why a smoke test can't run; undefined if they can.
 *
 * @throws ActionError if the file can't be read
 */
async function findConfigProblem({ path: given, graphs }, folder) {
    if (given === undefined)
        return undefined;
    const path = external_node_path_.posix.normalize(given);
    const place = { path: external_node_path_.posix.join(folder.inWorkspace, path) };
    if (!folder.files.some((file) => file.path === path)) {
        const problem = (0,text_message/* text */.Qq) `must be in the archive of ${(0,text_message/* input */.hF)("source_path")}, but ${(0,text_message/* quote */.hD)(path)} is not a file of ${(0,text_message/* quote */.hD)(folder.inWorkspace || ".")}, or an ignore rule, a link or the name of a folder leaves it out`;
        return { input: "app_config_path", problem, place };
    }
    const content = await read(folder, path);
    const config = (0,json/* asObject */.eB)((0,json/* parseJson */.qF)(content));
    if (config === undefined) {
        const { problem, line } = describeJson(content, path);
        return { input: "app_config_path", problem, place: { ...place, line } };
    }
    const problem = describeGraphs(Object.keys((0,json/* asObject */.eB)(config.graphs) ?? {}), graphs, path);
    return problem && { input: "smoke_tests", problem, place };
}
async function read(folder, path) {
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const file = __addDisposableResource(env_1, await (0,source_files/* openFile */.Tq)((0,external_node_path_.join)(folder.path, path)), true);
            return await file.readFile("utf8");
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    }
    catch (cause) {
        throw (0,source_files/* readError */.lS)(path, cause);
    }
}
/** What is wrong with a text that is no JSON object, and the line, if the parser names one. */
function describeJson(content, path) {
    try {
        JSON.parse(content);
        const problem = (0,text_message/* text */.Qq) `must name a JSON object, but ${(0,text_message/* quote */.hD)(path)} contains something else`;
        return { problem, line: undefined };
    }
    catch (error) {
        const { message } = (0,errors/* toError */.iT)(error);
        const [, line] = /\(line (\d+) column \d+\)$/.exec(message) ?? [];
        const problem = (0,text_message/* text */.Qq) `must name a JSON object, but ${(0,text_message/* quote */.hD)(path)} is not JSON: ${(0,text_message/* quoteSentence */.kq)(message)}`;
        return { problem, line: line === undefined ? undefined : Number(line) };
    }
}
/** UUIDs are ids of assistants, which only the agent server knows. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Why a smoke test can't run one of its graphs, which a build would show only at its end; undefined if all can run. */
function describeGraphs(named, graphs, path) {
    const missing = graphs.find((graph) => !uuid.test(graph) && !named.includes(graph));
    if (missing === undefined)
        return undefined;
    const known = named.length === 0 ? (0,text_message/* text */.Qq) `which names none` : (0,text_message/* text */.Qq) `which names ${(0,text_message/* listed */.KE)(named.map((one) => (0,text_message/* code */.aY)(one)))}`;
    return (0,text_message/* text */.Qq) `runs the graph ${(0,text_message/* quote */.hD)(missing, 200)}, but ${(0,text_message/* code */.aY)("graphs")} of ${(0,text_message/* code */.aY)(path)} does not have it, ${known}`;
}

// EXTERNAL MODULE: ./build/source/archive.js + 1 modules
var archive = __webpack_require__(2549);
// EXTERNAL MODULE: ./build/source/checkout.js + 1 modules
var source_checkout = __webpack_require__(9802);
// EXTERNAL MODULE: ./node_modules/@balena/dockerignore/ignore.js
var ignore = __webpack_require__(4158);
// EXTERNAL MODULE: ./node_modules/ignore/index.js
var node_modules_ignore = __webpack_require__(298);
;// CONCATENATED MODULE: ./build/source/ignore-rules.js
var ignore_rules_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var ignore_rules_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});





/**
 * The rules of `.gitignore` files. Paths are relative to the checkout, with `/` between their parts. Git matches bytes and
 * not characters (`?` is half an "é"), so the library gets texts and paths with a character for each byte.
 */
class GitIgnoreRules {
    #rules;
    constructor(rules = node_modules_ignore({ ignorecase: false })) {
        this.#rules = rules;
    }
    /** These rules and those of a folder's file, which win. `folder`: `""` for the checkout itself. */
    with(folder, text) {
        const lines = text
            .toString("latin1")
            .replace(/^\xef\xbb\xbf/, "")
            .split(/\r?\n/);
        const patterns = folder === "" ? lines : lines.flatMap((line) => patternBelow(bytewise(folder), line));
        return new GitIgnoreRules(node_modules_ignore({ ignorecase: false }).add(this.#rules).add(patterns));
    }
    /** Whether the rules leave out this path. That of a folder ends in `/`. */
    ignores(path) {
        return this.#rules.ignores(bytewise(path));
    }
}
function bytewise(path) {
    return Buffer.from(path).toString("latin1");
}
/** A folder's `.gitignore`, empty if it has none. @throws ActionError if it can't be read */
async function readGitIgnore(folder) {
    return await readRules((0,external_node_path_.join)(folder, ".gitignore"));
}
/**
 * A pattern of a nested file as it would stand in the checkout's own: one with a slash before its end is relative to its
 * folder, any other applies at every depth (https://git-scm.com/docs/gitignore#_pattern_format).
 */
function patternBelow(folder, line) {
    if (line.trim() === "" || line.startsWith("#"))
        return [];
    const [, negation = "", pattern = ""] = /^(!?)(.*)$/s.exec(line) ?? [];
    const isRelative = /\/./.test(pattern.trimEnd());
    const place = `/${folder.replaceAll(/[\\*?[\]!# ]/g, "\\$&")}/`;
    return [`${negation}${place}${isRelative ? pattern.replace(/^\//, "") : `**/${pattern}`}`];
}
/** The rules of a folder's `.dockerignore`, as Docker reads it. @throws ActionError if it can't be read */
async function readDockerIgnore(folder) {
    const text = await readRules((0,external_node_path_.join)(folder, ".dockerignore"));
    if (text.length === 0)
        return () => false;
    const lines = text
        .toString()
        .replace(/^\ufeff/, "")
        .split(/\r?\n/);
    const rules = ignore["default"]({ ignorecase: false }).add(lines.map(escapeLiterals));
    return (path) => rules.ignores(path);
}
/**
 * Docker takes these characters literally, and the library does not:
 * https://github.com/moby/patternmatcher/blob/main/patternmatcher.go (escapeBytes)
 */
function escapeLiterals(pattern) {
    return pattern.replaceAll(/\\.|[+()|{}]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}
/** A file of ignore rules, empty if there is none. Git does not follow a link there. */
async function readRules(path) {
    const found = await (0,promises_.lstat)(path).catch(() => undefined);
    if (!found?.isFile())
        return Buffer.alloc(0);
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const file = ignore_rules_addDisposableResource(env_1, await (0,source_files/* openFile */.Tq)(path), true);
            return await file.readFile();
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = ignore_rules_disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    }
    catch (cause) {
        throw (0,source_files/* readError */.lS)(path, cause);
    }
}

;// CONCATENATED MODULE: ./build/source/list-files.js





/**
 * The files of a folder that belong into its archive (docs/specification.md#the-archive).
 *
 * @throws ActionError if one can't be read or git does not finish in time, and the signal's reason
 */
async function listFiles(source, options) {
    const checkout = await (0,source_checkout/* checkoutOf */.o5)(source);
    const lister = new Lister(source, checkout, await readDockerIgnore(source.path), options);
    const tracked = await lister.trackedBelow("", checkout);
    await lister.visit("", { rules: await rulesAround(source, checkout), tracked, isIgnored: false });
    return lister.listing();
}
class Lister {
    #source;
    #root;
    /** The root's path in its checkout, with `/` at its end; `""` if it is the checkout. */
    #prefix;
    #isIgnoredByDocker;
    #options;
    #files = [];
    #trackedExcluded = [];
    #links = 0;
    #hasIgnored = false;
    #lacksGit = false;
    constructor(source, checkout, isIgnoredByDocker, options) {
        this.#source = source;
        this.#options = options;
        this.#root = source.path;
        this.#prefix = (0,external_node_path_.relative)(checkout, source.path).replaceAll(external_node_path_.sep, "/").replace(/.$/s, "$&/");
        this.#isIgnoredByDocker = isIgnoredByDocker;
    }
    listing() {
        const sortable = this.#files.map((file) => ({ file, bytes: Buffer.from(file.path) }));
        sortable.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
        return {
            files: sortable.map(({ file }) => file),
            links: this.#links,
            trackedExcluded: this.#trackedExcluded.toSorted(),
            hasIgnored: this.#hasIgnored,
            lacksGit: this.#lacksGit,
        };
    }
    /** What git tracks below a folder of a checkout although rules match it. */
    async trackedBelow(path, checkout) {
        const tracked = await (0,source_checkout/* trackedIgnoredPaths */.pz)(this.#source, path, this.#options);
        if (tracked === undefined && (await (0,source_checkout/* isCheckout */.VI)(checkout)))
            this.#lacksGit = true;
        return tracked ?? source_checkout/* noTrackedPaths */.w1;
    }
    /** Lists a folder. `path`: relative to the root, with `/` at its end; `""` for the root. */
    async visit(path, outer) {
        this.#options.signal.throwIfAborted();
        const folder = (0,external_node_path_.join)(this.#root, path);
        const entries = await (0,promises_.readdir)(folder, { withFileTypes: true }).catch((cause) => {
            throw (0,source_files/* readError */.lS)(folder, cause);
        });
        const has = (wanted) => entries.some(({ name }) => name === wanted);
        // A repository in another one, such as a submodule, has rules and tracked files of its own.
        const isNested = path !== "" && has(".git");
        const inherited = isNested ? new GitIgnoreRules() : outer.rules;
        const text = has(".gitignore") ? await readGitIgnore(folder) : undefined;
        const inside = {
            rules: text === undefined ? inherited : inherited.with(this.#inCheckout(path).slice(0, -1), text),
            tracked: isNested ? await this.trackedBelow(path, folder) : outer.tracked,
            isIgnored: outer.isIgnored,
        };
        for (const entry of entries) {
            // In a submodule it is a file.
            if (entry.name === ".git")
                continue;
            if (entry.isDirectory())
                await this.#addFolder(`${path}${entry.name}`, entry.name, inside);
            else
                await this.#addFile(`${path}${entry.name}`, entry, inside);
        }
    }
    async #addFolder(path, name, around) {
        // Git tracks a submodule as one entry.
        const isLeftOut = this.#isLeftOut(path, `${path}/`, around);
        const isExcluded = source_checkout/* excludedFolders */.o7.has(name);
        if (isExcluded && around.tracked.hasBelow(path))
            this.#trackedExcluded.push(path);
        if (isExcluded || (isLeftOut && !around.tracked.hasBelow(path))) {
            this.#hasIgnored = true;
            return;
        }
        await this.visit(`${path}/`, { ...around, isIgnored: isLeftOut });
    }
    async #addFile(path, entry, around) {
        if (this.#isLeftOut(path, path, around) || this.#isIgnoredByDocker(path)) {
            this.#hasIgnored = true;
            return;
        }
        if (entry.isSymbolicLink())
            this.#links += 1;
        if (!entry.isFile())
            return;
        const stats = await (0,promises_.lstat)((0,external_node_path_.join)(this.#root, path)).catch((cause) => {
            throw (0,source_files/* readError */.lS)(path, cause);
        });
        const isExecutable = (stats.mode & 0o100) !== 0;
        this.#files.push({ path, bytes: stats.size, isExecutable, version: (0,source_files/* versionOf */.E4)(stats) });
    }
    #isLeftOut(path, pathForRules, { rules, tracked, isIgnored }) {
        return (isIgnored || rules.ignores(this.#inCheckout(pathForRules))) && !tracked.has(path);
    }
    #inCheckout(path) {
        return `${this.#prefix}${path}`;
    }
}
/** The rules of the folders around a source folder, from its checkout down. */
async function rulesAround(source, checkout) {
    const inCheckout = (0,external_node_path_.relative)(checkout, source.path);
    let rules = new GitIgnoreRules();
    for (const folder of inCheckout === "" ? [] : ["", ...(0,source_checkout/* foldersAbove */.Zv)(inCheckout.replaceAll(external_node_path_.sep, "/"))]) {
        rules = rules.with(folder, await readGitIgnore((0,external_node_path_.join)(checkout, folder)));
    }
    return rules;
}

;// CONCATENATED MODULE: ./build/source/pack-source.js











/**
 * Packs the folder of `source_path`, and reports what is in the archive and what is left out. `config`: the file that the
 * build starts from.
 *
 * @throws ActionError if the folder is missing or outside of the workspace, the file is not in the archive, or that is too
 *   large, and the reason of a cancellation
 */
async function packSource(path, config, context) {
    const { report, cancelled } = context;
    report.activity((0,text_message/* text */.Qq) `still packing the files of ${sourcePath}`);
    // A file system that hangs takes no notice of a signal.
    const source = await (0,timeout/* settleOrAbort */.F7)(pack(path, config, context), cancelled);
    report.activity(undefined);
    reportSource(source, report);
    return source;
}
const sourcePath = (0,text_message/* input */.hF)("source_path");
async function pack(path, config, context) {
    const { env, cancelled, workflow } = context;
    const folder = await findFolder(path, env);
    const listing = await listFiles(folder, { signal: cancelled });
    const inWorkspace = (0,external_node_path_.relative)(folder.workspace, folder.path).replaceAll(external_node_path_.sep, "/");
    const problem = folderProblem(listing, path);
    if (problem !== undefined)
        throw (0,reader/* inputError */.Xu)([problem]);
    const configProblem = await findConfigProblem(config, { ...folder, inWorkspace, ...listing });
    if (configProblem !== undefined)
        throw (0,reader/* inputError */.Xu)([configProblem]);
    const commit = await (0,source_checkout/* checkedOutCommit */.Xg)(folder, workflow, { signal: cancelled });
    const options = { temporaryFolder: env.RUNNER_TEMP, maxPackedBytes: archive/* maxPackedBytes */.O, signal: cancelled };
    return { ...(await (0,archive/* packArchive */.u)(folder.path, listing, options)), folder: inWorkspace, commit };
}
/** Finds the folder that the input names, relative to the workspace. @throws ActionError if it is missing or outside */
async function findFolder(given, env) {
    const workspace = await (0,promises_.realpath)(env.GITHUB_WORKSPACE || process.cwd());
    const path = await (0,promises_.realpath)((0,external_node_path_.resolve)(workspace, given)).catch(() => undefined);
    const isFolder = path !== undefined && (await (0,promises_.stat)(path)).isDirectory();
    if (!isFolder) {
        const problem = (0,text_message/* text */.Qq) `must be a folder of the workspace, but ${(0,text_message/* quote */.hD)(given)} is not one`;
        throw (0,reader/* inputError */.Xu)([{ input: "source_path", problem, hint: checkoutHint }]);
    }
    const fromWorkspace = (0,external_node_path_.relative)(workspace, path);
    if (fromWorkspace === ".." || fromWorkspace.startsWith(`..${external_node_path_.sep}`) || (0,external_node_path_.resolve)(path) === fromWorkspace) {
        const problem = (0,text_message/* text */.Qq) `must not lead out of the workspace, as ${(0,text_message/* quote */.hD)(given)} does`;
        throw (0,reader/* inputError */.Xu)([{ input: "source_path", problem }]);
    }
    return { path, workspace };
}
const checkoutHint = (0,text_message/* text */.Qq) `Check out the repository before this step, with ${(0,text_message/* code */.aY)("actions/checkout")}.`;
/** Why the files of a folder can't be deployed; undefined if they can. `folder`: as given. */
function folderProblem({ files, hasIgnored }, folder) {
    if (files.length === 0 && hasIgnored) {
        return {
            input: "source_path",
            problem: (0,text_message/* text */.Qq) `must be a folder with files, but all files of ${(0,text_message/* quote */.hD)(folder)} are left out by ignore rules or the names of folders`,
            hint: (0,text_message/* text */.Qq) `Change the ${(0,text_message/* code */.aY)(".gitignore")} or ${(0,text_message/* code */.aY)(".dockerignore")} file that leaves out the files, such as with a line that starts with !.`,
        };
    }
    if (files.length === 0) {
        const problem = (0,text_message/* text */.Qq) `must be a folder with files, but ${(0,text_message/* quote */.hD)(folder)} has none`;
        return { input: "source_path", problem, hint: checkoutHint };
    }
    return undefined;
}
/** Everything that people are told of a packed folder. */
function reportSource(source, report) {
    const { links, trackedExcluded, lacksGit, digest, commit } = source;
    if (links > 0) {
        const are = links === 1 ? (0,text_message/* text */.Qq) `is` : (0,text_message/* text */.Qq) `are`;
        report.notice((0,text_message/* text */.Qq) `${(0,source_files/* countOf */.pq)(links, "symbolic link")} ${are} left out of the archive. A build that needs the content needs a file in its place.`);
    }
    if (trackedExcluded.length > 0) {
        report.notice((0,text_message/* text */.Qq) `Tracked files are left out of the archive because of the names of their folders: ${listFolders(trackedExcluded)}. If the build needs them, rename the folders.`);
    }
    if (lacksGit) {
        report.notice((0,text_message/* text */.Qq) `Git could not list the tracked files of a checkout below ${sourcePath}. Tracked files that a ${(0,text_message/* code */.aY)(".gitignore")} rule matches are left out of the archive.`);
    }
    report.sourcePacked(digest, commit);
    report.info((0,text_message/* text */.Qq) `Packed ${(0,source_files/* describeArchive */.SH)(source)}.`);
}
const maxListed = 5;
function listFolders(folders) {
    const others = folders.length - maxListed;
    const more = others > 0 ? [(0,text_message/* text */.Qq) `${(0,text_message/* code */.aY)((0,format/* formatCount */.B4)(others))} more`] : [];
    return (0,text_message/* joined */.oR)([...folders.slice(0, maxListed).map((path) => (0,text_message/* code */.aY)(path)), ...more], ", ");
}


/***/ })

};
