import { Failure, type Place } from "../errors.ts";
import { code, distinct, input as inputName, joined, listed, type Message, text } from "../text/message.ts";

export interface InputProblem {
  readonly input: string;
  /** A sentence without its subject and full stop, such as "must be a URL". Never holds the value of a secret. */
  readonly problem: Message;
  /** What the problem is about, if that is only a part of the input. */
  readonly subject?: Message | undefined;
  /** What is empty, if that is the problem: the input, or a secret within it. */
  readonly empty?: "input" | "secret" | undefined;
  /** What to do about it, if that is more than to correct the input. */
  readonly hint?: Message | undefined;
  /** The file that is wrong or missing. */
  readonly place?: Place | undefined;
}

/** A required input that is not set. GitHub passes an empty string for a secret that does not exist. */
export function missingInput(input: string): InputProblem {
  return { input, problem: text`is missing or empty`, empty: "input" };
}

/** Whose secrets a run gets: https://docs.github.com/en/code-security/dependabot/troubleshooting-dependabot/troubleshooting-dependabot-on-github-actions */
export type SecretStore = "Actions" | "Dependabot";

const whereSecretsAre: Readonly<Record<SecretStore, Message>> = {
  Actions: text`under Settings → Secrets and variables → Actions. A secret of a GitHub environment also needs ${code("environment:")} on the job.`,
  Dependabot: text`under Settings → Secrets and variables → Dependabot: runs for Dependabot cannot read Actions secrets.`,
};

const underWith = text`in the step's ${code("with:")} block`;

/** The error for everything that is wrong with the inputs; several problems are an annotation each. */
export function inputError(problems: readonly InputProblem[], store: SecretStore = "Actions"): Failure {
  const sentences = problems.map((found) => ({
    ...text`${found.subject ?? text`Input ${inputName(found.input)}`} ${found.problem}.`,
    title: text`Input ${inputName(found.input)}`,
    place: found.place,
    hint: found.hint ?? emptyHint([found], store),
  }));
  const [first, ...others] = sentences;
  return new Failure(first !== undefined && others.length === 0 ? first : countProblems(problems), {
    hint: hintFor(problems, store),
    ...(others.length === 0 ? { title: first?.title, place: first?.place } : { problems: sentences }),
  });
}

/** What to do about all problems: each remedy once. */
function hintFor(problems: readonly InputProblem[], store: SecretStore): Message {
  const hinted = problems.flatMap(({ hint }) => hint ?? []);
  const others = problems.filter(({ hint }) => hint === undefined);
  const wrong = namesOf(others.filter(({ empty }) => empty === undefined));
  return joined([
    emptyHint(others, store),
    ...distinct(hinted),
    wrong.length === 0
      ? undefined
      : text`Correct ${listed(wrong.map((name) => inputName(name)))} ${underWith}.`,
  ]);
}

/** What to do about what is empty; undefined if nothing is. */
function emptyHint(problems: readonly InputProblem[], store: SecretStore): Message | undefined {
  const empty = problems.filter((problem) => problem.empty !== undefined);
  if (empty.length === 0) return undefined;
  const where = whereSecretsAre[store];
  if (empty.every((problem) => problem.empty === "secret")) return text`Add the secret ${where}`;
  const names = namesOf(empty);
  const existing =
    names.length === 1
      ? text`If it is set there, the secret or variable does not exist or is empty: add it`
      : text`If they are set there, their secrets or variables do not exist or are empty: add them`;
  const inputs = listed(names.map((name) => inputName(name)));
  return text`Set ${inputs} ${underWith}. ${existing} ${where}`;
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
