/** No sensible value is nested deeper. */
const maxDepth = 50;

export type PlainMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is PlainMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value of YAML can be sent as JSON. An alias may make a value contain itself. */
function isJson(value: unknown, ancestors: readonly unknown[] = []): boolean {
  // A larger whole number may have been rounded, and would equal its neighbours.
  if (typeof value === "number")
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object" || ancestors.length >= maxDepth || ancestors.includes(value)) return false;
  return Object.values(value).every((part) => isJson(part, [...ancestors, value]));
}

/**
 * Reads a map of an input that is YAML, and passes on what is wrong with it, such as `expect.status` and "must be …". A
 * key without a value, or with null, is a mistake, except in `json`. Every method returns a usable value.
 */
export class MapReader {
  readonly #map: PlainMap;
  readonly #prefix: string;
  readonly #reject: (key: string, problem: string) => void;

  /** `keys`: all that are allowed. `prefix`: before the keys in problems. */
  constructor(
    map: PlainMap,
    keys: readonly string[],
    reject: (key: string, problem: string) => void,
    prefix = "",
  ) {
    this.#map = map;
    this.#prefix = prefix;
    this.#reject = reject;
    for (const key of Object.keys(map)) {
      if (!keys.includes(key)) this.reject(key, `is not a known key. Allowed are ${keys.join(", ")}`);
    }
  }

  reject(key: string, problem: string): void {
    this.#reject(`${this.#prefix}${key}`, problem);
  }

  /** Whether the key is there, whatever its value is. */
  has(key: string): boolean {
    return Object.hasOwn(this.#map, key);
  }

  #get(key: string): unknown {
    return this.#map[key];
  }

  text(key: string): string | undefined {
    const value = this.#get(key);
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    this.reject(key, "must be text that is not empty (in quotes if it looks like something else)");
    return undefined;
  }

  requiredText(key: string): string {
    if (!this.has(key)) this.reject(key, "must be given");
    const text = this.text(key);
    if (text?.trim() === "") this.reject(key, "must be more than blanks");
    return text ?? "";
  }

  /** One text or a list of texts. */
  texts(key: string): readonly string[] {
    const value = this.#get(key);
    if (value === undefined) return [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = list.filter((one) => typeof one === "string" && one !== "");
    if (texts.length === 0 || texts.length < list.length) {
      this.reject(key, "must be text or a list of texts that are not empty");
    }
    return texts.map(String);
  }

  boolean(key: string): boolean | undefined {
    const value = this.#get(key);
    if (value === undefined || typeof value === "boolean") return value;
    this.reject(key, "must be true or false");
    return undefined;
  }

  wholeNumber(key: string, min: number, max: number): number | undefined {
    const value = this.#get(key);
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    this.reject(key, `must be a whole number from ${min} to ${max}`);
    return undefined;
  }

  /** A number of seconds above 0 and at most a day, in whole milliseconds. */
  seconds(key: string, defaultSeconds: number): number {
    const value = this.has(key) ? this.#get(key) : defaultSeconds;
    if (typeof value === "number" && value > 0 && value <= 86_400) return Math.ceil(value * 1000);
    this.reject(key, "must be a number of seconds above 0 and up to 86400");
    return defaultSeconds * 1000;
  }

  /** Any value that can be sent as JSON, null included; undefined if the key is missing. */
  json(key: string): unknown {
    if (!this.has(key) || isJson(this.#map[key])) return this.#map[key];
    this.reject(
      key,
      `must be JSON of at most ${maxDepth} levels, without .inf, .nan, whole numbers beyond 2^53 and loops`,
    );
    return undefined;
  }

  /** A map whose values can be sent as JSON. */
  map(key: string): PlainMap | undefined {
    const value = this.#get(key);
    if (value === undefined) return undefined;
    if (isMap(value)) return isMap(this.json(key)) ? value : undefined;
    this.reject(key, "must be a map");
    return undefined;
  }

  /** Like `map`, for one that says nothing if it is empty. */
  filledMap(key: string): PlainMap {
    const value = this.#get(key);
    if (isMap(value) && Object.keys(value).length === 0) this.reject(key, "must not be empty");
    return this.map(key) ?? {};
  }
}
