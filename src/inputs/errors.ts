import { ActionError } from "../errors.ts";

export interface InputProblem {
  readonly input: string;
  /** A sentence without its subject, such as "has to be given". Never holds the value of a secret. */
  readonly problem: string;
}

/** Everything that is wrong with the inputs, at once. */
export class InputErrors extends ActionError {
  override readonly name = "InputErrors";
  readonly hint = 'Correct the step\'s "with:" block; the README describes each input.';
  override readonly items: readonly string[];

  constructor(problems: readonly InputProblem[]) {
    const sentences = problems.map(({ input, problem }) => `Input ${input} ${problem}.`);
    super(sentences.length === 1 ? String(sentences[0]) : spellCount(problems));
    this.items = sentences.length === 1 ? [] : sentences;
  }
}

function spellCount(problems: readonly InputProblem[]): string {
  const [first, ...others] = new Set(problems.map(({ input }) => input));
  return others.length === 0
    ? `Input ${first} can't be used, for ${problems.length} reasons.`
    : `${others.length + 1} inputs can't be used.`;
}
