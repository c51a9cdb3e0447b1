import { ActionError, type Place } from "../errors.ts";
import { code, distinct, input as inputName, joined, listed, type Message, text } from "../text/message.ts";

export interface InputProblem {
  readonly input: string;
  /** A sentence without its subject and full stop, such as "must be a URL". Never holds the value of a secret. */
  readonly problem: Message;
  /** What the problem is about, if that is only a part of the input. */
  readonly subject?: Message | undefined;
  /** What to do about it, if that is more than to correct the input. */
  readonly hint?: Message | undefined;
  /** The file that is wrong or missing. */
  readonly place?: Place | undefined;
}

/** The problem of a required input that is not set. GitHub passes an empty string for a secret that does not exist. */
export const missing = text`is missing or empty`;

const whereSecretsAre = text`under Settings → Secrets and variables → Actions. A secret of a GitHub environment also needs ${code("environment:")} on the job.`;

const underWith = text`in the step's ${code("with:")} block`;

/** What to do about an empty string in place of a secret within an input. */
export const emptySecretHint = text`Add the secret ${whereSecretsAre}`;

/** The error for everything that is wrong with the inputs; several problems are an annotation each. */
export function inputError(problems: readonly InputProblem[]): ActionError {
  const sentences = problems.map(({ input, subject, problem, place, hint }) => ({
    ...text`${subject ?? text`Input ${inputName(input)}`} ${problem}.`,
    title: text`Input ${inputName(input)}`,
    place,
    hint: hint ?? (problem === missing ? missingHint([input]) : undefined),
  }));
  const [first, ...others] = sentences;
  return new ActionError(first !== undefined && others.length === 0 ? first : countProblems(problems), {
    code: "input",
    hint: hintFor(problems),
    ...(others.length === 0 ? { title: first?.title, place: first?.place } : { problems: sentences }),
  });
}

/** What to do about all problems: each remedy once. */
function hintFor(problems: readonly InputProblem[]): Message {
  const isAbsent = ({ hint, problem }: InputProblem) => hint === undefined && problem === missing;
  // The hint for missing inputs also says where secrets are.
  const absent = problems.some(isAbsent)
    ? problems.filter((problem) => isAbsent(problem) || problem.hint === emptySecretHint)
    : [];
  const present = problems.filter((problem) => !absent.includes(problem));
  const wrong = namesOf(present.filter(({ hint }) => hint === undefined));
  const others = distinct(present.flatMap(({ hint }) => hint ?? []));
  return joined([
    absent.length === 0 ? undefined : missingHint(namesOf(absent)),
    ...others,
    wrong.length === 0
      ? undefined
      : text`Correct ${listed(wrong.map((name) => inputName(name)))} ${underWith}.`,
  ]);
}

function missingHint(names: readonly string[]): Message {
  const existing =
    names.length === 1
      ? text`If it is set there, the secret or variable does not exist or is empty: add it`
      : text`If they are set there, their secrets or variables do not exist or are empty: add them`;
  const inputs = listed(names.map((name) => inputName(name)));
  return text`Set ${inputs} ${underWith}. ${existing} ${whereSecretsAre}`;
}

function countProblems(problems: readonly InputProblem[]): Message {
  const [first = "", ...others] = namesOf(problems);
  return others.length === 0
    ? text`Input ${inputName(first)} has ${problems.length} problems.`
    : text`${others.length + 1} inputs are invalid.`;
}

function namesOf(problems: readonly InputProblem[]): string[] {
  return [...new Set(problems.map(({ input }) => input))];
}
