import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { parse } from "yaml";
import { root } from "../../scripts/support/run.ts";
import { type ActionName, runAction } from "../support/runner/run-action.ts";
import { type Servers, timeLimitMs, withServers } from "./support/servers.ts";

const Step = v.object({
  id: v.optional(v.string(), ""),
  if: v.optional(v.string()),
  uses: v.optional(v.string()),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.union([v.string(), v.boolean()])), {}),
  env: v.optional(v.record(v.string(), v.string()), {}),
});
type Step = v.InferOutput<typeof Step>;

const Workflow = v.object({ jobs: v.object({ deploy: v.object({ steps: v.array(Step) }) }) });

const text = readFileSync(join(root, "docs/workflows/evaluate.yml"), "utf8");
const { steps } = v.parse(Workflow, parse(text)).jobs.deploy;

interface StepResult {
  readonly id: string;
  readonly conclusion: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly stdout: string;
}

/** Plays the job of the workflow like the runner, in a checkout whose evaluation ends with this exit code. */
async function playJob({ access, github }: Servers, evaluationCode: number): Promise<StepResult[]> {
  const values: Record<string, string> = {
    "vars.LANGSMITH_WORKSPACE_ID": access.workspace_id,
    "secrets.LANGSMITH_API_KEY": access.api_key,
  };
  const results: StepResult[] = [];
  const workspace = checkOut(evaluationCode);
  try {
    for (const step of steps) {
      if (step.uses?.startsWith("actions/checkout@") || !isDue(step, results, values)) continue;
      const { region: _region, ...inputs } = substituted(step.with, values);
      const action = actionOf(step);
      const address = { control_plane_url: access.control_plane_url };
      const result =
        action === undefined
          ? await runScript(step.run ?? "", substituted(step.env, values), workspace)
          : await runAction({ action, inputs: { ...inputs, ...address }, env: github.env, workspace });
      results.push({ ...result, id: step.id });
      values[`steps.${step.id}.outcome`] = result.conclusion;
      for (const [name, value] of Object.entries(result.outputs)) {
        values[`steps.${step.id}.outputs.${name}`] = value;
      }
    }
  } finally {
    rmSync(workspace, { recursive: true });
  }
  return results;
}

/** A folder with an agent and its evaluation, which needs the URL and the key of the agent. */
function checkOut(evaluationCode: number): string {
  const workspace = mkdtempSync(join(tmpdir(), "evaluate-"));
  const script = `#!/bin/sh\ncase "$1$AGENT_KEY" in http*?) exit ${evaluationCode} ;; *) exit 2 ;; esac\n`;
  writeFileSync(join(workspace, "evaluate.sh"), script, { mode: 0o755 });
  writeFileSync(join(workspace, "langgraph.json"), "{}");
  return workspace;
}

/** Without a condition, a step runs if every one before it has succeeded. */
function isDue(
  step: Pick<Step, "if">,
  before: readonly Pick<StepResult, "conclusion">[],
  values: Readonly<Record<string, string>>,
): boolean {
  const hasSucceeded = before.every(({ conclusion }) => conclusion === "success");
  if (step.if === undefined) return hasSucceeded;
  const [, terms = ""] = /^\$\{\{ (.*) \}\}$/.exec(step.if) ?? [];
  return terms.split(" && ").every((term) => {
    if (term === "!success()") return !hasSucceeded;
    const [, name = "", operator, text] = /^(\S+) (==|!=) '(.*)'$/.exec(term) ?? [];
    if (name === "") throw new Error(`This test can't evaluate ${term}`);
    return ((values[name] ?? "") === text) === (operator === "==");
  });
}

function actionOf({ uses }: Step): ActionName | undefined {
  if (uses === "OWNER/REPO@v1") return "deploy";
  return uses === "OWNER/REPO/rollback@v1" ? "rollback" : undefined;
}

/** An expression without a value is an empty text. */
function substituted(texts: Step["with"], values: Readonly<Record<string, string>>): Record<string, string> {
  const resolve = (expression: string) =>
    expression.split(" || ").reduce((found, name) => found || (values[name] ?? ""), "");
  const substitute = (one: string) =>
    one.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression) => resolve(expression));
  return Object.fromEntries(Object.entries(texts).map(([name, one]) => [name, substitute(String(one))]));
}

async function runScript(script: string, env: Record<string, string>, cwd: string) {
  const shell = promisify(execFile)("bash", ["-e", "-c", script], { cwd, env: { ...process.env, ...env } });
  const failed = { conclusion: "failure", outputs: {}, stdout: "" };
  return await shell
    .then(({ stdout }) => ({ conclusion: "success", outputs: {}, stdout }))
    .catch(() => failed);
}

test.concurrent(
  "the workflow evaluate.yml makes the earlier revision live again if the evaluation fails",
  () =>
    withServers({ emulator: { platform: "langsmith" } }, async (servers) => {
      const { emulator, github } = servers;
      const first = await playJob(servers, 0);

      const second = await playJob(servers, 1);

      const conclusions = second.map(({ id, conclusion }) => `${id} ${conclusion}`);
      expect(first.map(({ id, conclusion }) => `${id} ${conclusion}`)).toEqual([
        "deploy success",
        "evaluate success",
      ]);
      expect(conclusions).toEqual([
        "deploy success",
        "evaluate failure",
        "rollback success",
        "report success",
      ]);
      const [deployment] = emulator.deployments();
      const [live, replaced, earlier] = deployment?.revisions ?? [];
      const [rollback, report] = second.slice(-2);
      expect(rollback?.outputs).toMatchObject({
        outcome: "deployed",
        revision_id: live?.id,
        rolled_back_to: earlier?.id,
      });
      expect(report?.stdout).toBe(
        `::error::Deploy success, evaluation failure, rollback success (to revision ${earlier?.id})\n`,
      );
      expect(deployment?.active_revision_id).toBe(live?.id);
      const archives = [live, replaced, earlier].map(
        (revision) => revision?.source_revision_config.source_tarball_path,
      );
      expect(archives[0]).toMatch(/./);
      expect(archives[0]).toBe(archives[2]);
      expect(archives[0]).not.toBe(archives[1]);
      expect(github.deployments().map(({ statuses }) => statuses[0]?.state)).toEqual([
        "success",
        "inactive",
        "inactive",
      ]);
    }),
  timeLimitMs,
);

test.each([
  ["the evaluation fails", "success", "failure", "r-1", "runs"],
  ["the run is cancelled during the evaluation", "success", "cancelled", "r-1", "runs"],
  ["the run is cancelled before the evaluation", "success", "skipped", "r-1", "runs"],
  ["a step after the evaluation fails", "success", "success", "r-1", "is skipped"],
  ["the deploy fails", "failure", "skipped", "r-1", "is skipped"],
  ["no revision was live before", "success", "failure", "", "is skipped"],
])(
  "if %s (deploy: %s, evaluation: %s, revision before: %j), the rollback of evaluate.yml %s",
  (_when, deploy, evaluate, previous, what) => {
    const rollback = steps.find(({ id }) => id === "rollback");
    const values = {
      "steps.deploy.outcome": deploy,
      "steps.evaluate.outcome": evaluate,
      "steps.deploy.outputs.previous_revision_id": previous,
    };

    const isRollbackDue = isDue({ if: rollback?.if }, [{ conclusion: "failure" }], values);

    expect(isRollbackDue).toBe(what === "runs");
  },
);

test("docs/evaluate.md shows the steps of evaluate.yml", () => {
  const page = readFileSync(join(root, "docs/evaluate.md"), "utf8");
  const shown = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = ""]) => parse(yaml));

  expect(shown).toContainEqual(parse(text).jobs.deploy.steps);
});
