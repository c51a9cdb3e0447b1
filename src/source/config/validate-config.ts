import { type InputProblem, inputFailure } from "../../input-problem.ts";
import { code, inputName, listFirst, listOf, type Message, phrase, quote, text } from "../../text/message.ts";
import type { SourceListing } from "../list-files.ts";
import { buildRules } from "./build-rules.ts";
import { type ConfigFile, type ConfigInputs, type Rule, readConfigFile } from "./config-file.ts";
import { pathRules } from "./path-rules.ts";
import { valueRules } from "./value-rules.ts";

/** What langgraph-cli 0.4.40 refuses, as the platform may too, and what is probably missing in the archive. */
const { errorRules = [], warningRules = [] } = Object.groupBy(
  [...pathRules, ...buildRules, ...valueRules],
  ({ preventsBuild }) => (preventsBuild ? "errorRules" : "warningRules"),
);

/**
 * Checks the configuration file of an archive (docs/specification.md#the-configuration-file). Returns warnings.
 *
 * @throws Failure with the mistakes that surely prevent a build
 */
export async function validateConfig(inputs: ConfigInputs, listing: SourceListing): Promise<Message[]> {
  const config = await readConfigFile(inputs, listing);
  const errors = [...(await findProblems(errorRules, config)), ...findUnknownGraph(config)];
  if (errors.length > 0) throw inputFailure(errors);
  const warnings = await findProblems(warningRules, config);
  return warnings.map(({ subject, problem, hint }) => text`${subject} ${problem}. ${hint}`);
}

/** Returns a problem for each broken rule, at the place of its first mistake. */
async function findProblems(rules: readonly Rule[], config: ConfigFile): Promise<InputProblem[]> {
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

/** A UUID is the ID of an assistant, which only the agent server knows. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds the first graph of a smoke test that the configuration file does not name. */
function findUnknownGraph({ path, graphs, inputs }: ConfigFile): InputProblem[] {
  const names = Object.keys(graphs);
  const unknown = inputs.testedGraphs.find((graph) => !uuid.test(graph) && !names.includes(graph));
  if (unknown === undefined || names.length === 0) return [];
  const named = listOf(names.map((name) => code(name)));
  const problem = phrase`runs the graph ${quote(unknown, 200)}, but ${code(path)} names only ${named} under ${code("graphs")}`;
  const hint = text`Correct ${code("graph")} in ${inputName("smoke_tests")}, or name the graph in ${code(path)}.`;
  return [{ input: "smoke_tests", problem, hint }];
}
