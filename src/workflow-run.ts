import { readFileSync, statSync } from "node:fs";
import { asObject, parseJson } from "./text/json.ts";

/** The workflow run that the step belongs to. Text is `""` outside of a workflow. */
export interface WorkflowRun {
  readonly event: string;
  /** The event's payload; empty if there is none. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** `owner/name`. */
  readonly repository: string;
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly sha: string;
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  /** The branch of a pull request, `""` for other events. */
  readonly headRef: string;
  readonly actor: string;
  readonly runId: string;
  /** 1, and more in a re-run. */
  readonly runAttempt: number;
}

/** Reads the runner's variables (https://docs.github.com/en/actions/reference/variables-reference) and the event's file. */
export function readWorkflowRun(env: Readonly<Record<string, string | undefined>>): WorkflowRun {
  return {
    event: env.GITHUB_EVENT_NAME ?? "",
    payload: readPayload(env.GITHUB_EVENT_PATH ?? ""),
    repository: env.GITHUB_REPOSITORY ?? "",
    serverUrl: env.GITHUB_SERVER_URL || "https://github.com",
    apiUrl: env.GITHUB_API_URL || "https://api.github.com",
    sha: env.GITHUB_SHA ?? "",
    ref: env.GITHUB_REF ?? "",
    headRef: env.GITHUB_HEAD_REF ?? "",
    actor: env.GITHUB_ACTOR ?? "",
    runId: env.GITHUB_RUN_ID ?? "",
    runAttempt: Number(env.GITHUB_RUN_ATTEMPT) || 1,
  };
}

/** The JSON object in the event's file; empty without one, as outside of a workflow. */
function readPayload(path: string): Readonly<Record<string, unknown>> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return {};
  return asObject(parseJson(readFileSync(path, "utf8"))) ?? {};
}

/** Whether a login is that of Dependabot, whose runs get other secrets. */
export function isDependabot(login: string): boolean {
  return login === "dependabot[bot]";
}

/** The URL of the repository, undefined outside of a workflow. */
export function repositoryUrl(run: WorkflowRun): string | undefined {
  return run.repository === "" ? undefined : `${run.serverUrl}/${run.repository}`;
}

export function runUrl(run: WorkflowRun): string {
  return `${run.serverUrl}/${run.repository}/actions/runs/${run.runId}`;
}

/** The URL of a commit of the repository, undefined outside of a workflow. */
export function commitUrl(run: WorkflowRun, sha: string): URL | undefined {
  const url = `${run.serverUrl}/${run.repository}/commit/${sha}`;
  return sha !== "" && run.repository !== "" && URL.canParse(url) ? new URL(url) : undefined;
}

/** The commit that the run is about. For a pull request that is its head: `sha` is a merge that GitHub made to test it. */
export function headSha(run: WorkflowRun): string {
  const head = asObject(asObject(run.payload.pull_request)?.head);
  const isPullRequest = /^pull_request(_target)?$/.test(run.event);
  return isPullRequest && typeof head?.sha === "string" ? head.sha : run.sha;
}

/** The ref to deploy by default: the branch of the run (of a pull request, its head branch) or `refs/tags/NAME`. */
export function refOfRun(run: Pick<WorkflowRun, "ref" | "headRef">): string | undefined {
  if (run.headRef !== "") return run.headRef;
  if (run.ref.startsWith("refs/heads/")) return run.ref.slice("refs/heads/".length);
  return run.ref.startsWith("refs/tags/") ? run.ref : undefined;
}

/** The full name of a ref that an input gives: a bare name is a branch. */
export function fullRef(ref: string): string {
  return ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
}
