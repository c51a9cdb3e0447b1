import type { Log } from "../runner/log.ts";
import { parseJsonObject } from "../text/json.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { InputErrors, type InputProblem } from "./errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type Remark = "notice" | "warning";

/**
 * Reads a step's inputs and collects what is wrong with them or worth knowing, so that a user sees all of it at once.
 * Every reading method answers with something usable even where it noted a problem; `finish` throws then.
 */
export class InputReader {
  readonly #environment: Environment;
  readonly #problems: InputProblem[] = [];
  readonly #remarks = new Map<string, Remark>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Notes a problem, once: a sentence without its subject and full stop. An input may be read in two places. */
  refuse(input: string, problem: string): void {
    const isKnown = this.#problems.some((known) => known.input === input && known.problem === problem);
    if (!isKnown) this.#problems.push({ input, problem });
  }

  /** Notes, once, what isn't wrong but may not be meant, as sentences. */
  remark(kind: Remark, text: string): void {
    this.#remarks.set(text, kind);
  }

  /** The input as it stands, `""` where it isn't given (runner: inputs come as `INPUT_<NAME>`). */
  raw(input: string): string {
    return this.#environment[`INPUT_${input.replaceAll(" ", "_").toUpperCase()}`] ?? "";
  }

  optional(input: string): string | undefined {
    return this.raw(input).trim() || undefined;
  }

  required(input: string): string {
    const value = this.optional(input);
    if (value === undefined) this.refuse(input, "has to be given");
    return value ?? "";
  }

  /** `true` and `false` as the toolkit takes them: YAML 1.2 "Core Schema". */
  boolean(input: string): boolean | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    if (/^(true|True|TRUE)$/.test(value)) return true;
    if (/^(false|False|FALSE)$/.test(value)) return false;
    this.refuse(input, `has to be true or false, not ${quote(value)}`);
    return undefined;
  }

  /** A number of seconds above zero, decimals allowed, as whole milliseconds (timers want them); at most a day. */
  seconds(input: string, defaultSeconds: number): number {
    const value = this.optional(input) ?? String(defaultSeconds);
    const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (seconds > 0 && seconds <= 86_400) return Math.ceil(seconds * 1000);
    this.refuse(input, `has to be a number of seconds above 0 and up to 86400, not ${quote(value)}`);
    return defaultSeconds * 1000;
  }

  /** A whole number of at least `least`. */
  wholeNumber(input: string, least: number): number | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= least) return number;
    this.refuse(input, `has to be a whole number of at least ${least}, not ${quote(value)}`);
    return undefined;
  }

  /** One of these texts, in just this spelling; `usual` where none is given. */
  oneOf<Choice extends string>(input: string, choices: readonly Choice[], usual: NoInfer<Choice>): Choice {
    const value = this.optional(input) ?? usual;
    const choice = choices.find((known) => known === value);
    if (choice !== undefined) return choice;
    const allowed = choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
    this.refuse(input, `has to be ${allowed}, not ${quote(value)}`);
    return usual;
  }

  jsonObject(input: string): Record<string, unknown> | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    const parsed = parseJsonObject(value);
    if (parsed === undefined) this.refuse(input, "has to be a JSON object");
    return parsed;
  }

  /** Entries one per line or separated by commas. */
  list(input: string): string[] {
    return this.raw(input)
      .split(/[\r\n,]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  }

  /** Tells the log what was remarked. @throws InputErrors if anything was refused. */
  finish(log: Pick<Log, Remark>): void {
    for (const [text, kind] of this.#remarks) log[kind](text);
    if (this.#problems.length > 0) throw new InputErrors(this.#problems);
  }
}

/** A value as an error quotes it. Not for secrets. */
export function quote(value: string): string {
  return `"${sanitizeExcerpt(value, 100)}"`;
}
