import type { InputProblem } from "../../input-problem.ts";
import type { Keys } from "../../text/json.ts";
import { listFirst, type Message, type Phrase, phrase } from "../../text/message.ts";
import type { ConfigFile } from "./config-file.ts";

/** A mistake in the file: its place, and its name in lists. */
export interface Mistake {
  readonly keys: Keys;
  readonly label: Phrase;
}

export interface Rule {
  /** Whether surely no build succeeds with such a mistake. By default, one may. */
  readonly preventsBuild?: true;
  readonly find: (config: ConfigFile) => readonly Mistake[] | Promise<readonly Mistake[]>;
  /** What is wrong with the file. A list of the mistakes follows it. */
  readonly problem: Phrase;
  readonly hint: Message | ((config: ConfigFile) => Message);
}

/** Returns a problem for each broken rule, at the place of its first mistake. */
export async function findProblems(rules: readonly Rule[], config: ConfigFile): Promise<InputProblem[]> {
  const problems = await Promise.all(
    rules.map(async ({ find, problem, hint }) => {
      const mistakes = await find(config);
      const [first] = mistakes;
      if (first === undefined) return [];
      const listed = phrase`${problem}: ${listFirst(mistakes.map(({ label }) => label))}`;
      return config.problemAt(first.keys, listed, typeof hint === "function" ? hint(config) : hint);
    }),
  );
  return problems.flat();
}
