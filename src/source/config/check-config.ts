import { type InputProblem, inputError } from "../../inputs/input-error.ts";
import { code, inputName, listOf, type Message, quote, text } from "../../text/message.ts";
import type { ArchiveContent } from "./archive-content.ts";
import { type AppConfig, type ConfigFile, type Rule, readConfigFile } from "./config-file.ts";
import { errors, warnings } from "./rules.ts";

/**
 * Checks the configuration file of an archive (docs/specification.md#the-configuration-file). Returns warnings.
 *
 * @throws Failure with what surely is wrong
 */
export async function checkConfig(given: AppConfig, archive: ArchiveContent): Promise<Message[]> {
  const { path } = given;
  if (path === undefined) return [];
  const config = await readConfigFile({ ...given, path }, archive);
  const apply = async (rules: readonly Rule[]) => {
    const mistakes = await Promise.all(rules.map((rule) => rule(config)));
    return mistakes.filter((mistake) => mistake !== undefined).map(config.toProblem);
  };
  const problems = [...(await apply(errors)), ...findUnknownGraph(config)];
  if (problems.length > 0) throw inputError(problems);
  return (await apply(warnings)).map(({ subject, problem, hint }) => text`${subject} ${problem}. ${hint}`);
}

/** UUIDs are ids of assistants, which only the agent server knows. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The first graph of a smoke test that the configuration file does not name. */
function findUnknownGraph({ path, graphs, given }: ConfigFile): InputProblem[] {
  const names = Object.keys(graphs);
  const unknown = given.graphs.find((graph) => !uuid.test(graph) && !names.includes(graph));
  if (unknown === undefined || names.length === 0) return [];
  const named = listOf(names.map((name) => code(name)));
  const problem = text`runs the graph ${quote(unknown, 200)}, but ${code(path)} names only ${named} under ${code("graphs")}`;
  const hint = text`Correct ${code("graph")} in ${inputName("smoke_tests")}, or name the graph in ${code(path)}.`;
  return [{ input: "smoke_tests", problem, hint }];
}
