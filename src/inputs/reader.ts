import * as v from "valibot";
import { InputFindings, missingInput } from "../input-problem.ts";
import type { InputName } from "../text/input-names.ts";
import { isObject, parseJson } from "../text/json.ts";
import { code, listOf, type Phrase, phrase, quote } from "../text/message.ts";
import type { Environment } from "../workflow-run.ts";

/** Returns choices such as `us, eu or apac`. */
export function choicesOf(choices: readonly string[]): Phrase {
  return listOf(
    choices.map((choice) => code(choice)),
    "or",
  );
}

const BooleanSchema = v.pipe(v.string(), v.toLowerCase(), v.picklist(["true", "false"]));
const NumberSchema = v.pipe(v.string(), v.regex(/^\d+(\.\d+)?$/), v.transform(Number));
const SecondsSchema = v.pipe(NumberSchema, v.gtValue(0), v.maxValue(86_400));
const JsonObjectSchema = v.pipe(
  v.string(),
  v.transform(parseJson),
  v.custom<Readonly<Record<string, unknown>>>(isObject),
);
const HeaderValueSchema = v.pipe(v.string(), v.regex(/^[\x21-\x7e\x80-\xff]*$/));

/**
 * Reads a step's inputs. Every method returns a usable value, even for an input that it rejects, and `finish` throws in the
 * end.
 */
export class InputReader extends InputFindings {
  readonly #env: Environment;

  constructor(env: Environment) {
    super();
    this.#env = env;
  }

  /**
   * Returns the input as the runner passes it, `""` if it is missing.
   * https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax#inputs
   */
  raw(input: InputName): string {
    return this.#env[`INPUT_${input.toUpperCase()}`] ?? "";
  }

  /** Returns the input without blanks around it, undefined if nothing is left. */
  optional(input: InputName): string | undefined {
    return this.raw(input).trim() || undefined;
  }

  required(input: InputName): string {
    const value = this.optional(input);
    if (value === undefined) this.addProblem(missingInput(input));
    return value ?? "";
  }

  boolean(input: InputName): boolean | undefined {
    const value = this.#parseShown(input, BooleanSchema, phrase`must be ${code("true")} or ${code("false")}`);
    return value && value === "true";
  }

  /** Reads a number of seconds, above 0 and at most a day. Returns milliseconds: whole ones, because timers need them. */
  durationMs(input: InputName, defaultSeconds: number): number {
    const problem = phrase`must be a number of seconds above 0 and up to 86400`;
    return Math.ceil((this.#parseShown(input, SecondsSchema, problem) ?? defaultSeconds) * 1000);
  }

  /** Reads the total time of one request. */
  requestTimeoutMs(): number {
    return this.durationMs("request_timeout_seconds", 30);
  }

  wholeNumber(input: InputName, min: number): number | undefined {
    const schema = v.pipe(NumberSchema, v.safeInteger(), v.minValue(min));
    return this.#parseShown(input, schema, phrase`must be a whole number of at least ${min}`);
  }

  oneOf<const Choices extends readonly string[]>(
    input: InputName,
    choices: Choices,
    defaultChoice: NoInfer<Choices[number]>,
  ): Choices[number] {
    return (
      this.#parseShown(input, v.picklist(choices), phrase`must be ${choicesOf(choices)}`) ?? defaultChoice
    );
  }

  jsonObject(input: InputName) {
    return this.#parse(input, JsonObjectSchema, phrase`must be a JSON object`);
  }

  /** Returns the distinct entries that are separated by commas or line ends. */
  list(input: InputName): string[] {
    const entries = this.raw(input)
      .split(/[\r\n,]/)
      .map((entry) => entry.trim());
    return [...new Set(entries)].filter((entry) => entry !== "");
  }

  id<Id extends string>(input: InputName, schema: v.GenericSchema<unknown, Id>): Id | undefined {
    const problem = phrase`must be an ID: without spaces, and not "." or ".."`;
    return this.#parse(input, schema, problem);
  }

  headerValue(input: InputName): string | undefined {
    const problem = phrase`contains a space, a line end or another character that a header can't contain`;
    return this.#parse(input, HeaderValueSchema, problem);
  }

  requiredHeaderValue(input: InputName): string {
    this.required(input);
    return this.headerValue(input) ?? "";
  }

  /** Returns the parsed input; undefined if it is not set, or rejected. */
  #parse<T>(input: InputName, schema: v.GenericSchema<unknown, T>, problem: Phrase): T | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    this.reject(input, problem);
    return undefined;
  }

  /** `#parse` for an input that can't be secret: the problem quotes it. */
  #parseShown<T>(input: InputName, schema: v.GenericSchema<unknown, T>, problem: Phrase): T | undefined {
    return this.#parse(input, schema, phrase`${problem}, not ${quote(this.raw(input).trim(), 100)}`);
  }
}
