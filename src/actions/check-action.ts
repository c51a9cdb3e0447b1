import { AgentClient } from "../agent/agent-client.ts";
import { comparisonCheck } from "../checks/comparison-check.ts";
import { requestedAgentChecks, resultOfChecks, runChecks } from "../checks/run-checks.ts";
import { readServerVersion } from "../checks/serving-check.ts";
import { readBaseline } from "../compare/read-baseline.ts";
import type { Context } from "../context.ts";
import { type SuccessEnding, toResult } from "../errors.ts";
import { readCheckInputs } from "../inputs/read-checks.ts";
import { InputReader } from "../inputs/reader.ts";
import type { InputName } from "../text/input-names.ts";
import { inputName, phrase, text } from "../text/message.ts";

/** The check action: makes the checks of a deploy on any running agent. */
export async function checkAction(context: Context): Promise<SuccessEnding> {
  const { report } = context;
  const reader = new InputReader(context.env);
  const { url, agent: agentOptions, checks: options } = readCheckInputs(reader);
  reader.finish(report);

  report.set({ shownName: url.href.replace(/\/+$/, "") });
  const connect = (to: URL, input: InputName) => new AgentClient(to, agentOptions, context, inputName(input));
  const agent = connect(url, "deployment_url");
  const { compare } = options;
  const comparison =
    compare &&
    comparisonCheck(compare, () =>
      toResult(() => readBaseline(connect(compare.url, "compare_with_url"), context)),
    );
  const results = await runChecks(context, { value: agent }, [...requestedAgentChecks(options), comparison]);
  report.setRevision({ serverVersion: await readServerVersion(agent) });
  const { value: details, error } = resultOfChecks(phrase`The agent`, results);
  if (error !== undefined) throw error;
  return { outcome: "passed", message: text`The agent was checked.`, details };
}
