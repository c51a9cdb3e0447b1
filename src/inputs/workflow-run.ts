import * as v from "valibot";
import type { Context } from "../context.ts";
import { parseJsonObject } from "../text/json.ts";

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
  readonly actor: string;
  readonly runId: string;
}

/** Reads the default variables of the runner and the event's payload. Missing ones are empty: local runs have none. */
export function readWorkflowRun({ env, disk }: Pick<Context, "env" | "disk">): WorkflowRun {
  const variable = (name: string) => env[`GITHUB_${name}`] ?? "";
  return {
    event: variable("EVENT_NAME"),
    payload: parseJsonObject(disk.readText(variable("EVENT_PATH")) ?? "") ?? {},
    repository: variable("REPOSITORY"),
    serverUrl: variable("SERVER_URL") || "https://github.com",
    sha: variable("SHA"),
    ref: variable("REF"),
    headRef: variable("HEAD_REF"),
    actor: variable("ACTOR"),
    runId: variable("RUN_ID"),
  };
}

/** The web address of this repository, undefined outside a workflow. */
export function repositoryUrl(run: WorkflowRun): string | undefined {
  return run.repository === "" ? undefined : `${run.serverUrl}/${run.repository}`;
}

/** The web address of this run. */
export function runUrl(run: WorkflowRun): string {
  return `${run.serverUrl}/${run.repository}/actions/runs/${run.runId}`;
}

/** The web address of a commit of this repository, undefined outside a workflow. */
export function commitUrl(run: WorkflowRun, sha: string): URL | undefined {
  const url = `${run.serverUrl}/${run.repository}/commit/${sha}`;
  return sha !== "" && run.repository !== "" && URL.canParse(url) ? new URL(url) : undefined;
}

const HeadSchema = v.looseObject({
  pull_request: v.looseObject({ head: v.looseObject({ sha: v.string() }) }),
});

/**
 * The commit that a run is about: on a pull request its head, not the merge that GitHub made to test it, or what is
 * at the base.
 */
export function headSha(run: WorkflowRun): string {
  const parsed = v.safeParse(HeadSchema, run.payload);
  const onPullRequest = /^pull_request(_target)?$/.test(run.event);
  return parsed.success && onPullRequest ? parsed.output.pull_request.head.sha : run.sha;
}
