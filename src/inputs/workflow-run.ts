import { readFileSync } from "node:fs";
import { parseJsonObject } from "./reader.ts";

/** The run that the step is part of, as the runner tells it. */
export interface WorkflowRun {
  readonly event: string;
  /** The event's payload; empty where there is none. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** `owner/name`. */
  readonly repository: string;
  readonly serverUrl: string;
  readonly sha: string;
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  /** The pull request's branch, `""` on other events. */
  readonly headRef: string;
  readonly runId: string;
  readonly runAttempt: string;
}

/** Reads the default variables of the runner and the event's payload. Missing ones are empty: local runs have none. */
export function readWorkflowRun(environment: Readonly<Record<string, string | undefined>>): WorkflowRun {
  const variable = (name: string) => environment[`GITHUB_${name}`] ?? "";
  return {
    event: variable("EVENT_NAME"),
    payload: readPayload(variable("EVENT_PATH")),
    repository: variable("REPOSITORY"),
    serverUrl: variable("SERVER_URL") || "https://github.com",
    sha: variable("SHA"),
    ref: variable("REF"),
    headRef: variable("HEAD_REF"),
    runId: variable("RUN_ID"),
    runAttempt: variable("RUN_ATTEMPT"),
  };
}

function readPayload(path: string): Record<string, unknown> {
  if (path === "") return {};
  return parseJsonObject(readFileSync(path, "utf8")) ?? {};
}

/** The web address of this repository, undefined outside a workflow. */
export function repositoryUrl(run: WorkflowRun): string | undefined {
  return run.repository === "" ? undefined : `${run.serverUrl}/${run.repository}`;
}
