export const id = 362;
export const ids = [362];
export const modules = {

/***/ 8362:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   VI: () => (/* binding */ isCheckout),
/* harmony export */   Xg: () => (/* binding */ checkedOutCommit),
/* harmony export */   hg: () => (/* binding */ rulesAround),
/* harmony export */   o5: () => (/* binding */ checkoutOf),
/* harmony export */   o7: () => (/* binding */ excludedFolders),
/* harmony export */   pz: () => (/* binding */ trackedIgnoredPaths),
/* harmony export */   trackedFiles: () => (/* binding */ trackedFiles),
/* harmony export */   w1: () => (/* binding */ noTrackedPaths)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _text_message_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3597);
/* harmony import */ var _ignore_rules_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9510);
/* harmony import */ var _source_files_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(9713);






/** A list of all files of a large repository is smaller. */
const maxGitBytes = 100_000_000;
/**
 * What git prints in a folder; undefined if there is no git or no repository in the workspace, or if git fails. It gets no
 * secret of the step, and reads a checkout of another user too, as containers have it.
 *
 * @throws ActionError if git does not finish in time, and the signal's reason
 */
async function git({ path, workspace }, args, { signal, gitTimeoutMs = 300_000 }) {
    const { PATH, HOME, SYSTEMROOT } = process.env;
    const { promise, resolve } = Promise.withResolvers();
    const settings = ["safe.directory=*", "core.fsmonitor=false", "core.excludesFile="];
    const timeout = AbortSignal.timeout(gitTimeoutMs);
    (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile)("git", ["--no-optional-locks", ...settings.flatMap((setting) => ["-c", setting]), "-C", path, ...args], {
        env: { PATH, HOME, SYSTEMROOT, GIT_CEILING_DIRECTORIES: (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(workspace) },
        maxBuffer: maxGitBytes,
        // Not the option `timeout`, which waits for the end of a git that can't be killed.
        signal: AbortSignal.any([signal, timeout]),
        killSignal: "SIGKILL",
    }, (error, stdout) => resolve(error === null ? stdout : undefined));
    const output = await promise;
    signal.throwIfAborted();
    if (output === undefined && timeout.aborted) {
        throw (0,_source_files_js__WEBPACK_IMPORTED_MODULE_5__/* .sourceError */ .I8)((0,_text_message_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq) `Git did not finish within ${gitTimeoutMs / 1000} s in ${(0,_text_message_js__WEBPACK_IMPORTED_MODULE_3__/* .code */ .aY)(path)}`, (0,_text_message_js__WEBPACK_IMPORTED_MODULE_3__/* .text */ .Qq) `Check that the file system of the checkout responds and that git works there.`, timeout.reason);
    }
    return output;
}
/** The commit of the checkout that a folder belongs to; undefined without git or a checkout. */
async function checkedOutCommit(folder, workflow, options) {
    const sha = await git(folder, ["rev-parse", "--verify", "HEAD"], options);
    const changes = await git(folder, ["status", "--porcelain", "--", "."], options);
    return sha === undefined || changes === undefined
        ? undefined
        : {
            sha: sha.trim(),
            hasLocalChanges: changes !== "",
            isOfThisRepository: await isOfThisRepository(folder, workflow, options),
        };
}
/**
 * The paths of the files that git tracks in a workspace; undefined if that is no checkout of this run's repository. Throws
 * like `checkedOutCommit`.
 */
async function trackedFiles(workspace, workflow, options) {
    const folder = { path: workspace, workspace };
    const listed = await git(folder, ["ls-files", "-z", "--cached"], options);
    if (listed === undefined || !(await isOfThisRepository(folder, workflow, options)))
        return undefined;
    return new Set(listed.split("\0"));
}
/** Without a remote repository, the checkout must be the workspace itself. */
async function isOfThisRepository(folder, workflow, options) {
    const origin = await git(folder, ["remote", "get-url", "origin"], options);
    return origin === undefined
        ? (await checkoutOf(folder)) === folder.workspace
        : isAddressOf(origin.trim(), workflow);
}
/** Whether git's address of a repository, such as `git@github.com:owner/name.git`, is that of the run's repository. */
function isAddressOf(address, { serverUrl, repository }) {
    const [, host, path] = /^(?:\w+:\/\/)?(?:[^@/]*@)?([^/:]+(?::\d+)?)[/:](.*?)(?:\.git)?\/*$/s.exec(address) ?? [];
    const wanted = `${new URL(serverUrl).host}/${repository}`;
    return `${host}/${path}`.toLowerCase() === wanted.toLowerCase();
}
/** The names of folders that are never in an archive. */
const excludedFolders = new Set([
    ...["node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"],
]);
const noTrackedPaths = { has: () => false, hasBelow: () => false };
/**
 * The tracked paths below `path`, a folder of the source with `/` at its end, that ignore rules match (git never
 * ignores these), and those in `excludedFolders`. Undefined without git or a checkout.
 */
async function trackedIgnoredPaths(source, path, options) {
    const rules = [
        "--exclude-per-directory=.gitignore",
        ...[...excludedFolders].map((name) => `--exclude=${name}/`),
    ];
    const list = ["ls-files", "-z", "--cached", "--ignored", ...rules];
    const listed = await git({ ...source, path: (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(source.path, path) }, list, options);
    if (listed === undefined)
        return undefined;
    const names = listed.split("\0").filter((name) => name !== "");
    const paths = names.map((name) => `${path}${name}`);
    const folders = new Set(paths.flatMap(foldersAbove));
    const all = new Set(paths);
    return { has: (path) => all.has(path), hasBelow: (path) => folders.has(path) };
}
/** `a/b/c` gives `a` and `a/b`. */
function foldersAbove(path) {
    const names = path.split("/").slice(0, -1);
    return names.map((_name, index) => names.slice(0, index + 1).join("/"));
}
/** Whether a repository, or a submodule, begins in this folder. */
async function isCheckout(path) {
    return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.access)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(path, ".git")).then(() => true, () => false);
}
/** The path of the checkout that holds a folder: the nearest one in the workspace, or else the workspace. */
async function checkoutOf({ path, workspace }) {
    for (let place = path;; place = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(place)) {
        if (place === workspace || (await isCheckout(place)))
            return place;
    }
}
/** The rules of the folders around a source folder, from its checkout down. */
async function rulesAround(source, checkout) {
    const inCheckout = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(checkout, source.path);
    let rules = new _ignore_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .GitIgnoreRules */ .QF();
    for (const folder of inCheckout === "" ? [] : ["", ...foldersAbove(inCheckout.replaceAll(node_path__WEBPACK_IMPORTED_MODULE_2__.sep, "/"))]) {
        rules = rules.with(folder, await (0,_ignore_rules_js__WEBPACK_IMPORTED_MODULE_4__/* .readGitIgnore */ .le)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(checkout, folder)));
    }
    return rules;
}


/***/ }),

/***/ 9510:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   QF: () => (/* binding */ GitIgnoreRules),
/* harmony export */   le: () => (/* binding */ readGitIgnore),
/* harmony export */   x3: () => (/* binding */ readDockerIgnore)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _balena_dockerignore__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4158);
/* harmony import */ var ignore__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(298);
/* harmony import */ var _source_files_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9713);
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
 * The rules of `.gitignore` files. Paths are relative to the checkout, with `/` between their parts. Git matches bytes and
 * not characters (`?` is half an "é"), so the library gets texts and paths with a character for each byte.
 */
class GitIgnoreRules {
    #rules;
    constructor(rules = ignore__WEBPACK_IMPORTED_MODULE_3__({ ignorecase: false })) {
        this.#rules = rules;
    }
    /** These rules and those of a folder's file, which win. `folder`: `""` for the checkout itself. */
    with(folder, text) {
        const lines = text
            .toString("latin1")
            .replace(/^\xef\xbb\xbf/, "")
            .split(/\r?\n/);
        const patterns = folder === "" ? lines : lines.flatMap((line) => patternBelow(bytewise(folder), line));
        return new GitIgnoreRules(ignore__WEBPACK_IMPORTED_MODULE_3__({ ignorecase: false }).add(this.#rules).add(patterns));
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
    return await readRules((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, ".gitignore"));
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
    const text = await readRules((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, ".dockerignore"));
    if (text.length === 0)
        return () => false;
    const lines = text
        .toString()
        .replace(/^\ufeff/, "")
        .split(/\r?\n/);
    const rules = _balena_dockerignore__WEBPACK_IMPORTED_MODULE_2__["default"]({ ignorecase: false }).add(lines.map(escapeLiterals));
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
    const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.lstat)(path).catch(() => undefined);
    if (!found?.isFile())
        return Buffer.alloc(0);
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const file = __addDisposableResource(env_1, await (0,_source_files_js__WEBPACK_IMPORTED_MODULE_4__/* .openFile */ .Tq)(path), true);
            return await file.readFile();
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
        throw (0,_source_files_js__WEBPACK_IMPORTED_MODULE_4__/* .readError */ .lS)(path, cause);
    }
}


/***/ })

};
