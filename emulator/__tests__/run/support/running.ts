/** Emulators that run what is deployed, and their deployments. */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import type { Emulator, EmulatorOptions } from "../../../index.ts";
import type { RunOptions } from "../../../runner/settings.ts";
import { call, create, createRequest, deploymentIn, type Target } from "../../support/client.ts";
import { withEmulator, withTemporaryFolder } from "../../support/emulator.ts";
import { createRequest as langsmithRequest } from "../../support/langsmith.ts";
import { START_COMMAND } from "./repository.ts";

/** Limits so short that no test waits for one. */
export const SHORT: RunOptions = {
  startCommand: START_COMMAND,
  readySeconds: 20,
  graceMs: 1000,
  drainMs: 1000,
  probeMs: 100,
  restartMs: 10,
};

/** The request that deploys a repository. */
export function runRequest(
  repoUrl: string,
  replaced: { secrets?: object[]; ref?: string; config?: string } = {},
) {
  const { secrets = [], ref = "main", config = "agent.json" } = replaced;
  return createRequest({
    source_config: { repo_url: repoUrl },
    source_revision_config: { repo_ref: ref, app_config_path: config },
    secrets,
  });
}

/** The same in the dialect `langsmith`. */
export function langsmithRunRequest(
  repoUrl: string,
  { ref = "main", ...others }: { ref?: string; name?: string; secrets?: object[] } = {},
) {
  return langsmithRequest({
    source_config: { repo_url: repoUrl },
    source_revision_config: { repo_ref: ref, langgraph_config_path: "agent.json" },
    ...others,
  });
}

/** Waits until the value is as wanted. The time limit of the test bounds it. */
export async function until<T>(read: () => T | Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    await setTimeout(25);
  }
}

const ENDS = ["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "INTERRUPTED", "SKIPPED"];

/** The last status of a revision. */
export async function endOf(target: Target, id: string, revisionId: string): Promise<string> {
  const read = async () => {
    const { body } = await call(target, `GET /v2/deployments/${id}/revisions/${revisionId}`);
    return v.parse(v.object({ status: v.string() }), body).status;
  };
  return await until(read, (status) => ENDS.includes(status));
}

/** Deploys and waits for the end of the first revision. */
export async function createLive(target: Target, request: object) {
  const { id, latest } = await create(target, request);
  const status = await endOf(target, id, latest);
  return { id, latest, status, url: (await readDeployment(target, id)).url };
}

/** Makes a new revision of a ref; returns its id. */
export async function deploy(target: Target, id: string, ref = "main"): Promise<string> {
  const response = await call(target, `PATCH /v2/deployments/${id}`, {
    source_revision_config: { repo_ref: ref },
  });
  return deploymentIn(response).latest;
}

const ShownSchema = v.object({
  url: v.nullable(v.string()),
  active_revision_id: v.nullable(v.string()),
});

export async function readDeployment(target: Target, id: string) {
  return v.parse(ShownSchema, (await call(target, `GET /v2/deployments/${id}`)).body);
}

const AgentSchema = v.object({
  version: v.string(),
  revision: v.string(),
  pid: v.number(),
  env: v.record(v.string(), v.string()),
});

/** What the agent behind a URL says of itself. */
export async function askAgent(url: string | null, path = "/") {
  const response = await fetch(`${url}${path}`, { headers: { connection: "close" } });
  if (!response.ok) throw new Error(`the agent responded ${response.status}`);
  return v.parse(AgentSchema, await response.json());
}

/** Runs `use` with an emulator that runs what is deployed, and with a temporary folder. */
export async function withRunning<T>(
  options: EmulatorOptions,
  use: (emulator: Emulator, folder: string) => Promise<T>,
): Promise<T> {
  return await withTemporaryFolder((folder) => {
    const run = { ...SHORT, workDir: join(folder, "work"), ...options.run };
    return withEmulator({ ...options, run }, (emulator) => use(emulator, folder));
  });
}
