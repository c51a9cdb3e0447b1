import { Failure, type Place } from "./errors.ts";
import type { InputName } from "./text/input-names.ts";
import {
  code,
  distinct,
  inputName,
  joined,
  listOf,
  type Message,
  type Phrase,
  phrase,
  rawText,
  text,
} from "./text/message.ts";

export interface InputProblem {
  readonly input: InputName;
  /** The subject of the sentence about the problem. By default, the input. */
  readonly subject?: Phrase | undefined;
  /** The rest of that sentence, such as "must be a URL". Never holds the value of a secret. */
  readonly problem: Phrase;
  /** By default, to correct the input. */
  readonly hint?: Message | undefined;
  /** The file that is wrong or missing. */
  readonly place?: Place | undefined;
}

type NoteKind = "notice" | "warning";

/** Collects what is wrong or unusual about the inputs, so that users see all of it at once. */
export class InputFindings {
  readonly #problems = new Map<string, InputProblem>();
  readonly #notes = new Map<string, { readonly kind: NoteKind; readonly note: Message }>();

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

  /** Reports the notes. @throws `inputFailure` if there are problems */
  finish(report: Readonly<Record<NoteKind, (note: Message) => void>>): void {
    for (const { kind, note } of this.#notes.values()) report[kind](note);
    if (this.#problems.size > 0) throw inputFailure([...this.#problems.values()]);
  }
}

const inStepInputs = phrase`in the step's ${code("with:")} block`;

/**
 * The advice for an input that is empty, or that has an empty secret. Runs of Dependabot get variables:
 * https://github.com/dependabot/dependabot-core/issues/9259
 */
export const emptyHint = text`Set what is missing ${inStepInputs}. If it is set there, check its spelling. Otherwise, its secret or variable does not exist or is empty: add it under Settings → Secrets and variables → Actions. Runs of Dependabot get only the secrets under Dependabot there. A secret of a GitHub environment also needs ${code("environment:")} on the job.`;

export function missingInput(input: InputName): InputProblem {
  return { input, problem: phrase`is missing or empty`, hint: emptyHint };
}

export function setHint(input: InputName): Message {
  return text`Set ${inputName(input)} ${inStepInputs}.`;
}

/** Returns the failure for the problems of inputs. If there are several, each becomes an annotation. */
export function inputFailure(problems: readonly InputProblem[]): Failure {
  const sentences = problems.map(({ input, problem, subject, place, hint }) => {
    const title = phrase`Input ${inputName(input)}`;
    return { message: text`${subject ?? title} ${problem}.`, title, place, hint };
  });
  const wrong = new Set(problems.filter(({ hint }) => hint === undefined).map(({ input }) => input));
  const names = listOf([...wrong].map((name) => inputName(name)));
  const hint = joined([
    wrong.size === 0 ? undefined : text`Correct ${names} ${inStepInputs}.`,
    ...distinct(sentences.flatMap((sentence) => sentence.hint ?? [])),
  ]);
  const [first] = sentences;
  return first !== undefined && sentences.length === 1
    ? new Failure(first.message, { hint, title: first.title, place: first.place })
    : new Failure(text`The inputs have ${problems.length} problems.`, { hint, problems: sentences });
}
