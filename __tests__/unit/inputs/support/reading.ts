import { InputErrors } from "../../../../src/inputs/errors.ts";
import { InputReader } from "../../../../src/inputs/reader.ts";
import { recordingContext } from "../../../support/recording-context.ts";

export type Texts = Readonly<Record<string, string>>;

/** What one of the functions of `src/inputs` made of a step's inputs. */
export interface Reading<Result> {
  readonly result: Result;
  /** What was refused, in the words that users see, in order. */
  readonly problems: readonly string[];
  /** Notices and warnings, in order. */
  readonly remarks: readonly { readonly kind: string; readonly text: string }[];
}

/** Inputs by their names, as the runner hands them over. */
export function environmentOf(inputs: Texts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
}

/** Reads these inputs, and hears what the reader has to say about them. */
export function reading<Result>(inputs: Texts, read: (reader: InputReader) => Result): Reading<Result> {
  const { log, recorded } = recordingContext({});
  const reader = new InputReader(environmentOf(inputs));
  const result = read(reader);
  return { result, problems: problemsOf(() => reader.finish(log)), remarks: recorded.lines };
}

function problemsOf(finish: () => void): readonly string[] {
  try {
    finish();
  } catch (error) {
    if (!(error instanceof InputErrors)) throw error;
    return error.items.length > 0 ? error.items : [error.message];
  }
  return [];
}
