import * as v from "valibot";
import {
  type InputFindings,
  type InputProblem,
  inputFailure,
  missingInput,
  type NoteKind,
} from "../input-problem.ts";
import type { Report } from "../report/report.ts";
import type { InputName } from "../text/input-names.ts";
import { parseJsonObject } from "../text/json.ts";
import { code, listOf, type Message, type Phrase, phrase, quote, rawText, text } from "../text/message.ts";
import type { Environment } from "../workflow-run.ts";

/** Returns choices such as `us, eu or apac`. */
export function choicesOf(choices: readonly string[]): Phrase {
  return listOf(
    choices.map((choice) => code(choice)),
    "or",
  );
}

/**
 * Reads a step's inputs. It collects their problems and notes, so that users see all of them at once. Every method returns a
 * usable value, even for an input that it rejects, and `finish` throws in the end.
 */
export class InputReader implements InputFindings {
  readonly #env: Environment;
  readonly #problems = new Map<string, InputProblem>();
  readonly #notes = new Map<string, { readonly kind: NoteKind; readonly note: Message }>();

  constructor(env: Environment) {
    this.#env = env;
  }

  reject(input: InputName, problem: Phrase, about: Omit<InputProblem, "input" | "problem"> = {}): void {
    this.addProblem({ input, problem, ...about });
  }

  /** Adds a problem, once: an input may be read in two places. A later one with the same words replaces it, with its hint. */
  addProblem(problem: InputProblem): void {
    this.#problems.set(rawText(text`${problem.subject} ${code(problem.input)} ${problem.problem}`), problem);
  }

  /** Adds a notice or a warning for the log, once. */
  addNote(kind: NoteKind, note: Message): void {
    this.#notes.set(rawText(note), { kind, note });
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
    const value = this.optional(input);
    if (value === undefined) return undefined;
    if (/^true$/i.test(value)) return true;
    if (/^false$/i.test(value)) return false;
    this.reject(input, phrase`must be ${code("true")} or ${code("false")}, not ${quote(value, 100)}`);
    return undefined;
  }

  /** Reads a number of seconds, above 0 and at most a day. Returns milliseconds: whole ones, because timers need them. */
  durationMs(input: InputName, defaultSeconds: number): number {
    const value = this.optional(input) ?? String(defaultSeconds);
    const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (seconds > 0 && seconds <= 86_400) return Math.ceil(seconds * 1000);
    this.reject(input, phrase`must be a number of seconds above 0 and up to 86400, not ${quote(value, 100)}`);
    return defaultSeconds * 1000;
  }

  wholeNumber(input: InputName, min: number): number | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= min) return number;
    this.reject(input, phrase`must be a whole number of at least ${min}, not ${quote(value, 100)}`);
    return undefined;
  }

  oneOf<Choice extends string>(
    input: InputName,
    choices: readonly Choice[],
    defaultChoice: NoInfer<Choice>,
  ): Choice {
    const value = this.optional(input) ?? defaultChoice;
    const choice = choices.find((known) => known === value);
    if (choice !== undefined) return choice;
    this.reject(input, phrase`must be ${choicesOf(choices)}, not ${quote(value, 100)}`);
    return defaultChoice;
  }

  jsonObject(input: InputName): Record<string, unknown> | undefined {
    const value = this.optional(input);
    if (value === undefined) return undefined;
    const parsed = parseJsonObject(value);
    if (parsed === undefined) this.reject(input, phrase`must be a JSON object`);
    return parsed;
  }

  /** Returns the distinct entries that are separated by commas or line ends. */
  list(input: InputName): string[] {
    const entries = this.raw(input)
      .split(/[\r\n,]/)
      .map((entry) => entry.trim());
    return [...new Set(entries)].filter((entry) => entry !== "");
  }

  /** Returns an ID; undefined also for one that is rejected. */
  id<const Schema extends v.GenericSchema<unknown, string>>(
    input: InputName,
    schema: Schema,
  ): v.InferOutput<Schema> | undefined {
    const value = this.optional(input);
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    if (value !== undefined) this.reject(input, phrase`must be an ID: without spaces, and not "." or ".."`);
    return undefined;
  }

  /** Returns a value for a request header. A rejected value is not quoted, because it may be a secret. */
  headerValue(input: InputName): string | undefined {
    const value = this.optional(input);
    if (!/^[\x21-\x7e\x80-\xff]*$/.test(value ?? "")) {
      this.reject(
        input,
        phrase`contains a space, a line end or another character that a header can't contain`,
      );
    }
    return value;
  }

  requiredHeaderValue(input: InputName): string {
    this.required(input);
    return this.headerValue(input) ?? "";
  }

  /** Reports the notes. @throws `inputFailure` if anything was rejected */
  finish(report: Pick<Report, NoteKind>): void {
    for (const { kind, note } of this.#notes.values()) report[kind](note);
    if (this.#problems.size > 0) throw inputFailure([...this.#problems.values()]);
  }
}
