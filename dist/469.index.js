export const id = 469;
export const ids = [469];
export const modules = {

/***/ 469:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  parseSmokeTests: () => (/* binding */ parseSmokeTests)
});

// EXTERNAL MODULE: ./build/http/request.js + 1 modules
var request = __webpack_require__(6086);
// EXTERNAL MODULE: ./build/inputs/agent-headers.js
var agent_headers = __webpack_require__(9494);
;// CONCATENATED MODULE: ./build/inputs/map-reader.js
/** No sensible value is nested deeper. */
const maxDepth = 50;
function isMap(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
/** Whether a value of YAML can be sent as JSON. An alias may make a value contain itself. */
function isJson(value, ancestors = []) {
    // A larger whole number may have been rounded, and would equal its neighbours.
    if (typeof value === "number")
        return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
    if (value === null || typeof value === "string" || typeof value === "boolean")
        return true;
    if (typeof value !== "object" || ancestors.length >= maxDepth || ancestors.includes(value))
        return false;
    return Object.values(value).every((part) => isJson(part, [...ancestors, value]));
}
/**
 * Reads a map of an input that is YAML, and passes on what is wrong with it, such as `expect.status` and "must be …". A
 * key without a value, or with null, is a mistake, except in `json`. Every method returns a usable value.
 */
class MapReader {
    #map;
    #prefix;
    #reject;
    /** `keys`: all that are allowed. `prefix`: before the keys in problems. */
    constructor(map, keys, reject, prefix = "") {
        this.#map = map;
        this.#prefix = prefix;
        this.#reject = reject;
        for (const key of Object.keys(map)) {
            if (!keys.includes(key))
                this.reject(key, `is not a known key. Allowed are ${keys.join(", ")}`);
        }
    }
    reject(key, problem) {
        this.#reject(`${this.#prefix}${key}`, problem);
    }
    /** Whether the key is there, whatever its value is. */
    has(key) {
        return Object.hasOwn(this.#map, key);
    }
    #get(key) {
        return this.#map[key];
    }
    text(key) {
        const value = this.#get(key);
        if (value === undefined || (typeof value === "string" && value !== ""))
            return value;
        this.reject(key, "must be text that is not empty (in quotes if it looks like something else)");
        return undefined;
    }
    requiredText(key) {
        if (!this.has(key))
            this.reject(key, "must be given");
        const text = this.text(key);
        if (text?.trim() === "")
            this.reject(key, "must be more than blanks");
        return text ?? "";
    }
    /** One text or a list of texts. */
    texts(key) {
        const value = this.#get(key);
        if (value === undefined)
            return [];
        const list = Array.isArray(value) ? value : [value];
        const texts = list.filter((one) => typeof one === "string" && one !== "");
        if (texts.length === 0 || texts.length < list.length) {
            this.reject(key, "must be text or a list of texts that are not empty");
        }
        return texts.map(String);
    }
    boolean(key) {
        const value = this.#get(key);
        if (value === undefined || typeof value === "boolean")
            return value;
        this.reject(key, "must be true or false");
        return undefined;
    }
    wholeNumber(key, min, max) {
        const value = this.#get(key);
        if (value === undefined)
            return undefined;
        if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
            return Number(value);
        this.reject(key, `must be a whole number from ${min} to ${max}`);
        return undefined;
    }
    /** A number of seconds above 0 and at most a day, in whole milliseconds. */
    seconds(key, defaultSeconds) {
        const value = this.has(key) ? this.#get(key) : defaultSeconds;
        if (typeof value === "number" && value > 0 && value <= 86_400)
            return Math.ceil(value * 1000);
        this.reject(key, "must be a number of seconds above 0 and up to 86400");
        return defaultSeconds * 1000;
    }
    /** Any value that can be sent as JSON, null included; undefined if the key is missing. */
    json(key) {
        if (!this.has(key) || isJson(this.#map[key]))
            return this.#map[key];
        this.reject(key, `must be JSON of at most ${maxDepth} levels, without .inf, .nan, whole numbers beyond 2^53 and loops`);
        return undefined;
    }
    /** A map whose values can be sent as JSON. */
    map(key) {
        const value = this.#get(key);
        if (value === undefined)
            return undefined;
        if (isMap(value))
            return isMap(this.json(key)) ? value : undefined;
        this.reject(key, "must be a map");
        return undefined;
    }
    /** Like `map`, for one that says nothing if it is empty. */
    filledMap(key) {
        const value = this.#get(key);
        if (isMap(value) && Object.keys(value).length === 0)
            this.reject(key, "must not be empty");
        return this.map(key) ?? {};
    }
}

// EXTERNAL MODULE: ./build/inputs/path-problem.js
var path_problem = __webpack_require__(6759);
// EXTERNAL MODULE: ./build/inputs/reader.js
var reader = __webpack_require__(401);
// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(8815);
// EXTERNAL MODULE: ./build/text/sanitize.js
var sanitize = __webpack_require__(9211);
;// CONCATENATED MODULE: ./build/inputs/yaml.js


/** In characters. Parsing takes well below a second then. */
const maxYamlLength = 32_768;
/** More aliases than anybody writes by hand. They could stand for a huge document. */
const maxAliasCount = 100;
/** Parses one YAML 1.2 document without tags of its own; JSON is one too. */
function parseYaml(text) {
    if (text.length > maxYamlLength) {
        return { problem: `has ${text.length} characters, more than the ${maxYamlLength} that are allowed` };
    }
    const lineCounter = new dist/* LineCounter */.HN();
    const lineOf = (offset = 0) => `line ${lineCounter.linePos(offset).line}`;
    try {
        const document = (0,dist/* parseDocument */.Tp)(text.replace(/^\ufeff/, ""), {
            customTags: [],
            resolveKnownTags: false,
            stringKeys: true,
            // Its time would grow with the square of the number of keys.
            uniqueKeys: false,
            prettyErrors: false,
            logLevel: "error",
            lineCounter,
        });
        const [error] = [...document.errors, ...document.warnings];
        if (error?.code === "MULTIPLE_DOCS") {
            return { problem: `is more than one YAML document: remove the "---" (${lineOf(error.pos[0])})` };
        }
        if (error !== undefined) {
            return { problem: `is not YAML (${lineOf(error.pos[0])}): ${describe(error.message)}` };
        }
        const duplicate = duplicateKey(document);
        if (duplicate !== undefined)
            return { problem: `has the same key twice (${lineOf(duplicate)})` };
        return { value: document.toJS({ maxAliasCount }) };
    }
    catch (error) {
        // What is nested thousands of levels deep exhausts the stack, and too many aliases are an error too.
        return { problem: `can't be read as YAML: ${describe(String(error))}` };
    }
}
function describe(message) {
    return (0,sanitize/* sanitizeExcerpt */.Zx)(message.replace(/[.:]\s*$/, ""), 200);
}
/** Where the second of two equal keys of a map is. */
function duplicateKey(document) {
    let place;
    (0,dist/* visit */.YR)(document, {
        Map(_key, map) {
            const seen = new Set();
            for (const { key } of map.items) {
                if (!(0,dist/* isScalar */.jn)(key))
                    continue;
                if (seen.has(String(key.value)))
                    place ??= key.range?.[0];
                seen.add(String(key.value));
            }
            return place === undefined ? undefined : dist/* visit */.YR.BREAK;
        },
    });
    return place;
}

;// CONCATENATED MODULE: ./build/inputs/smoke-test-list.js






const maxTests = 100;
const maxRepeat = 100;
/** More mistakes than anybody reads. */
const maxProblems = 50;
/** https://www.rfc-editor.org/rfc/rfc6901#section-3 */
const jsonPointer = /^(\/([^~/]|~[01])*)*$/u;
const runKeys = ["input", "config", "context"];
const requestKeys = ["body", "headers"];
const itemKeys = ["name", "graph", ...runKeys, "request", ...requestKeys, "expect", "repeat", "pass"];
const expectKeys = ["status", "contains", "matches", "json", "interrupted", "max_seconds"];
function parseSmokeTests(text) {
    const yaml = parseYaml(text);
    if ("problem" in yaml)
        return { tests: [], problems: [yaml.problem] };
    if (!Array.isArray(yaml.value) || yaml.value.length === 0) {
        return { tests: [], problems: ["must be a list of at least one test, each an item that starts with -"] };
    }
    const items = yaml.value;
    if (items.length > maxTests) {
        return { tests: [], problems: [`has ${items.length} tests, more than the ${maxTests} that are allowed`] };
    }
    const problems = [];
    const tests = items.flatMap((item, index) => {
        const place = `item ${index + 1}`;
        if (isMap(item))
            return [readTest(item, rejectIn(place, item, problems))];
        problems.push(`has an ${place} that is not a map with name, and graph or request`);
        return [];
    });
    return { tests, problems: problems.slice(0, maxProblems) };
}
function rejectIn(place, { name }, problems) {
    const title = typeof name === "string" && name !== "" ? `${place} (${(0,reader/* quote */.hD)(name)})` : place;
    return (key, problem) => {
        problems.push(`has a mistake in ${title}: ${(0,reader/* quote */.hD)(key).slice(1, -1)} ${problem}`);
    };
}
function readTest(item, reject) {
    const reader = new MapReader(item, itemKeys, reject);
    const name = reader.requiredText("name");
    const expected = reader.filledMap("expect");
    const expectReader = new MapReader(expected, expectKeys, reject, "expect.");
    const isRun = isRunOfGraph(reader);
    const repeat = reader.wholeNumber("repeat", 1, maxRepeat);
    if (reader.has("pass") && !reader.has("repeat"))
        reader.reject("pass", "needs repeat");
    return {
        name,
        ...(isRun ? readRun(reader, expectReader) : readRequest(reader, expectReader, reject)),
        expected: readExpected(expectReader, reject),
        repeat: repeat ?? 1,
        pass: reader.wholeNumber("pass", 1, repeat ?? maxRepeat) ?? repeat ?? 1,
    };
}
/** Whether the test runs a graph; otherwise it sends a request of its own. */
function isRunOfGraph(reader) {
    const isRun = reader.has("graph");
    if (isRun && reader.has("request"))
        reader.reject("request", "must not be given together with graph");
    if (!isRun && !reader.has("request"))
        reader.reject("graph", "or request must be given");
    for (const key of isRun ? requestKeys : runKeys) {
        if (reader.has(key))
            reader.reject(key, `needs ${isRun ? "request" : "graph"}`);
    }
    return isRun;
}
function readRun(reader, expectReader) {
    const graph = reader.requiredText("graph");
    const [input, config, context] = [reader.map("input"), reader.map("config"), reader.map("context")];
    if (!reader.has("input"))
        reader.reject("input", "must be given, as a map");
    return {
        method: "POST",
        path: "/runs/wait",
        headers: {},
        body: {
            assistant_id: graph,
            input,
            ...(config && { config }),
            ...(context && { context }),
            on_completion: "delete",
        },
        run: { graph, interrupted: expectReader.boolean("interrupted") ?? false },
    };
}
function readRequest(reader, expectReader, reject) {
    if (expectReader.has("interrupted"))
        expectReader.reject("interrupted", "needs graph");
    const line = reader.text("request");
    const [, name, path = ""] = /^(\S+) +(\S.*)$/s.exec(line ?? "") ?? [];
    const method = request/* httpMethods */.R.find((one) => one === name);
    const problem = method === undefined
        ? `must be a method (${request/* httpMethods */.R.join(", ")}), a blank and a path, such as GET /ok`
        : (0,path_problem/* pathProblem */.z9)(path);
    if (line !== undefined && problem !== undefined)
        reader.reject("request", problem);
    return {
        method: method ?? "GET",
        path,
        headers: readHeaders(reader.map("headers") ?? {}, reject),
        body: reader.json("body"),
        run: undefined,
    };
}
function readHeaders(map, reject) {
    const headers = Object.entries(map).map(([name, value]) => {
        const problem = typeof value === "string" ? (0,agent_headers/* headerProblem */.b2)(name, value) : "must have text as its value (in quotes)";
        if (problem !== undefined)
            reject(`headers.${name}`, problem);
        return [name.toLowerCase(), String(value)];
    });
    return Object.fromEntries(headers);
}
function readExpected(reader, reject) {
    const matches = reader.text("matches");
    const problem = matches === undefined ? undefined : patternProblem(matches);
    if (problem !== undefined)
        reader.reject("matches", problem);
    const json = new Map(Object.entries(reader.filledMap("json")));
    for (const pointer of json.keys()) {
        if (!jsonPointer.test(pointer)) {
            reject(`expect.json.${pointer}`, "is not a JSON Pointer. It must be empty or start with /, and have ~0 for ~");
        }
    }
    return {
        status: reader.wholeNumber("status", 100, 599),
        contains: reader.texts("contains"),
        matches,
        json,
        maxMs: reader.seconds("max_seconds", 60),
    };
}
function patternProblem(pattern) {
    try {
        new RegExp(pattern);
        return undefined;
    }
    catch (error) {
        return `must be a regular expression of JavaScript. ${(0,reader/* quote */.hD)(String(error))}`;
    }
}


/***/ })

};
