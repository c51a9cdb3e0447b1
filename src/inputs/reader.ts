import { ActionError } from "../errors.ts";
import type { Log } from "../runner/log.ts";
import { parseJsonObject } from "../text/json.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface InputProblem {
  readonly input: string;
  /** A sentence without its subject and full stop, such as "must be a URL". Never holds the value of a secret. */
  readonly problem: string;
  /** What to do about it, if that is more than to correct the input. */
  readonly hint?: string;
}

/** The problem of a required input that is not given. GitHub passes an empty text for a secret that does not exist. */
export const missing = "is missing or empty";

type NoteKind = "notice" | "warning";

/**
 * Reads a step's inputs and collects what is wrong with them or worth a notice, so that users see all of it at once.
 * Every method returns a usable value, even for an input that it rejects: `finish` throws in the end.
 */
export class InputReader {
  readonly #environment: Environment;
  readonly #problems: InputProblem[] = [];
  readonly #notes = new Map<string, NoteKind>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Adds a problem, once: an input may be read in two places. */
  reject(input: string, problem: string, hint?: string): void {
    const isKnown = this.#problems.some((known) => known.input === input && known.problem === problem);
    if (!isKnown) this.#problems.push({ input, problem, ...(hint !== undefined && { hint }) });
  }

  /** Adds a notice or a warning for the log, once. */
  note(kind: NoteKind, text: string): void {
    this.#notes.set(text, kind);
  }

  /**
   * The input as the runner passes it, `""` if it is missing.
   * https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax#inputs
   */
  raw(input: string): string {
    return this.#environment[`INPUT_${input.replaceAll(" ", "_").toUpperCase()}`] ?? "";
  }

  /** The input without blanks around it, undefined if nothing is left. */
  optional(input: string): string | undefined {
    return this.raw(input).trim() || undefined;
  }

  required(input: string): string {
    const value = this.optional(input);
    if (value === undefined) this.reject(input, missing);
    return value ?? "";
  }

  /** `true` and `false` in the spellings of YAML 1.2 that `getBooleanInput` of `@actions/core` accepts. */
  boolean(input: string): boolean | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    if (/^(true|True|TRUE)$/.test(value)) return true;
    if (/^(false|False|FALSE)$/.test(value)) return false;
    this.reject(input, `must be true or false, not ${quote(value)}`);
    return undefined;
  }

  /** A number of seconds, with decimals, above 0 and at most a day. In whole milliseconds, as timers need them. */
  seconds(input: string, defaultSeconds: number): number {
    const value = this.optional(input) ?? String(defaultSeconds);
    const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (seconds > 0 && seconds <= 86_400) return Math.ceil(seconds * 1000);
    this.reject(input, `must be a number of seconds above 0 and up to 86400, not ${quote(value)}`);
    return defaultSeconds * 1000;
  }

  wholeNumber(input: string, min: number): number | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= min) return number;
    this.reject(input, `must be a whole number of at least ${min}, not ${quote(value)}`);
    return undefined;
  }

  /** One of `choices`; case counts. */
  oneOf<Choice extends string>(
    input: string,
    choices: readonly Choice[],
    defaultChoice: NoInfer<Choice>,
  ): Choice {
    const value = this.optional(input) ?? defaultChoice;
    const choice = choices.find((known) => known === value);
    if (choice !== undefined) return choice;
    const allowed = choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
    this.reject(input, `must be ${allowed}, not ${quote(value)}`);
    return defaultChoice;
  }

  jsonObject(input: string): Record<string, unknown> | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    const parsed = parseJsonObject(value);
    if (parsed === undefined) this.reject(input, "must be a JSON object");
    return parsed;
  }

  /** Entries one per line or separated by commas. */
  list(input: string): string[] {
    return this.raw(input)
      .split(/[\r\n,]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  }

  /** An id that becomes a segment of a path, `""` if it was rejected because the path would lead elsewhere. */
  id(input: string): string | undefined {
    const id = this.optional(input);
    if (id !== "." && id !== "..") return id;
    this.reject(input, 'must not be "." or ".."');
    return "";
  }

  /** A value for a request header. What can't be sent in one is rejected, and never quoted: it may be a secret. */
  headerValue(input: string): string | undefined {
    const value = this.optional(input);
    if (!/^[\x21-\x7e\x80-\xff]*$/.test(value ?? "")) {
      this.reject(input, "contains a blank, a line end or another character that a header can't hold");
    }
    return value;
  }

  requiredHeaderValue(input: string): string {
    this.required(input);
    return this.headerValue(input) ?? "";
  }

  /** Logs the notes. @throws `inputError` if anything was rejected */
  finish(log: Pick<Log, NoteKind>): void {
    for (const [text, kind] of this.#notes) log[kind](text);
    if (this.#problems.length > 0) throw inputError(this.#problems);
  }
}

const hint = 'Correct the "with:" block of the step.';
const missingHint = `${hint} If the input is set there, its secret or variable does not exist: add it in the settings of the repository (Secrets and variables, Actions). One of an environment also needs "environment:" on the job.`;

/** The error for everything that is wrong with the inputs; several problems are a finding each. */
export function inputError(problems: readonly InputProblem[]): ActionError {
  const sentences = problems.map(({ input, problem }) => `Input ${input} ${problem}.`);
  const [first = "", ...others] = sentences;
  return new ActionError(others.length === 0 ? first : countProblems(problems), {
    code: "input",
    hint: hintFor(problems),
    findings: others.length === 0 ? [] : sentences,
  });
}

/** The hint of the only problem, or else one for all of them. */
function hintFor(problems: readonly InputProblem[]): string {
  const [first, ...others] = problems;
  if (first?.hint !== undefined && others.length === 0) return first.hint;
  return problems.some(({ problem }) => problem.startsWith(missing)) ? missingHint : hint;
}

function countProblems(problems: readonly InputProblem[]): string {
  const [first, ...others] = new Set(problems.map(({ input }) => input));
  return others.length === 0
    ? `Input ${first} has ${problems.length} problems.`
    : `${others.length + 1} inputs are invalid.`;
}

/** A value as messages quote it. Not for secrets. */
export function quote(value: string): string {
  return `"${sanitizeExcerpt(value, 100)}"`;
}
