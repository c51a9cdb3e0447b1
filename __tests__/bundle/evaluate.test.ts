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
  with: v.optional(v.record(v.string(), v.string()), {}),
  env: v.optional(v.record(v.string(), v.string()), {}),
});
type Step = v.InferOutput<typeof Step>;

const Workflow = v.object({ jobs: v.object({ deploy: v.object({ steps: v.array(Step) }) }) });

const text = readFileSync(join(root, "docs/workflows/evaluate.yml"), "utf8");
const { steps } = v.parse(Workflow, parse(text)).jobs.deploy;

interface StepResult {
  readonly conclusion: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Plays the job of the workflow like the runner, in a checkout whose evaluation ends with this exit code. */
async function playJob({ access, github }: Servers, evaluationCode: number): Promise<StepResult[]> {
  const values: Record<string, string> = {
    "vars.CONTROL_PLANE_URL": access.control_plane_url,
    "vars.AGENT_WORKSPACE_ID": access.workspace_id,
    "secrets.AGENT_API_KEY": access.api_key,
  };
  const results: StepResult[] = [];
  const workspace = mkdtempSync(join(tmpdir(), "evaluate-"));
  const script = `#!/bin/sh\ncase "$1" in http*) exit ${evaluationCode} ;; *) exit 2 ;; esac\n`;
  writeFileSync(join(workspace, "evaluate.sh"), script, { mode: 0o755 });
  try {
    for (const step of steps) {
      if (step.uses?.startsWith("actions/checkout@") || !isDue(step, results, values)) continue;
      const inputs = substituted(step.with, values);
      const action = actionOf(step);
      const result =
        action === undefined
          ? await runScript(step.run ?? "", substituted(step.env, values), workspace)
          : await runAction({ action, inputs, env: github.env, workspace });
      results.push({ conclusion: result.conclusion, outputs: result.outputs });
      values[`steps.${step.id}.conclusion`] = result.conclusion;
      for (const [name, value] of Object.entries(result.outputs)) {
        values[`steps.${step.id}.outputs.${name}`] = value;
      }
    }
  } finally {
    rmSync(workspace, { recursive: true });
  }
  return results;
}

/** Without a condition, a step runs if none before it has failed. */
function isDue(step: Step, before: readonly StepResult[], values: Readonly<Record<string, string>>): boolean {
  const hasFailed = before.some(({ conclusion }) => conclusion === "failure");
  if (step.if === undefined) return !hasFailed;
  const [, name = ""] = /^\$\{\{ failure\(\) && (\S+) == 'failure' \}\}$/.exec(step.if) ?? [];
  if (name === "") throw new Error(`This test can't evaluate ${step.if}`);
  return hasFailed && values[name] === "failure";
}

function actionOf({ uses }: Step): ActionName | undefined {
  if (uses === "OWNER/REPO@v1") return "deploy";
  return uses === "OWNER/REPO/rollback@v1" ? "rollback" : undefined;
}

/** An expression without a value is an empty text. */
function substituted(
  texts: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const substitute = (one: string) => one.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name) => values[name] ?? "");
  return Object.fromEntries(Object.entries(texts).map(([name, one]) => [name, substitute(one)]));
}

async function runScript(script: string, env: Record<string, string>, cwd: string): Promise<StepResult> {
  const shell = promisify(execFile)("bash", ["-e", "-c", script], { cwd, env: { ...process.env, ...env } });
  return { conclusion: await shell.then(() => "success").catch(() => "failure"), outputs: {} };
}

const repository = { files: { "langgraph.json": "{}" } };

test.concurrent(
  "the workflow evaluate.yml makes the earlier revision live again if the evaluation fails",
  () =>
    withServers({ emulator: { platform: "langsmith" }, github: repository }, async (servers) => {
      const { emulator, github } = servers;
      const [good, bad] = ["a".repeat(40), "b".repeat(40)];
      emulator.setCommit("main", good);
      const first = await playJob(servers, 0);
      emulator.setCommit("main", bad);

      const second = await playJob(servers, 1);

      expect(first.map(({ conclusion }) => conclusion)).toEqual(["success", "success"]);
      expect(second.map(({ conclusion }) => conclusion)).toEqual(["success", "failure", "success"]);
      const [deployment] = emulator.deployments();
      const [live, replaced, earlier] = deployment?.revisions ?? [];
      expect(second.at(-1)?.outputs).toMatchObject({
        outcome: "deployed",
        revision_id: live?.id,
        rolled_back_to: earlier?.id,
      });
      expect(deployment?.active_revision_id).toBe(live?.id);
      expect(live?.source_revision_config).toMatchObject({ repo_ref: "main", repo_commit_sha: good });
      expect(replaced?.source_revision_config).toMatchObject({ repo_ref: "main", repo_commit_sha: bad });
      expect(github.deployments().map(({ statuses }) => statuses[0]?.state)).toEqual([
        "success",
        "inactive",
        "inactive",
      ]);
    }),
  timeLimitMs,
);
