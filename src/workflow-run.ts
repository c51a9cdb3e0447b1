import { readFileSync } from "node:fs";
import * as v from "valibot";
import { equalsIgnoringCase } from "./text/strings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The workflow run that the step belongs to. Text is `""` outside of a workflow. */
export interface WorkflowRun {
  readonly event: string;
  /** Undefined for other events, such as reviews and comments. */
  readonly pullRequestEvent: PullRequestEvent | undefined;
  /** `owner/name`. */
  readonly repository: string;
  readonly serverUrl: string;
  readonly apiUrl: string;
  /** The folder of the checkout, to which paths in inputs are relative. Outside of a workflow, the current one. */
  readonly workspace: string;
  readonly sha: string;
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  readonly actor: string;
  readonly runId: string;
  /** 1, and more in a re-run. */
  readonly runAttempt: number;
}

/** Reads the runner's variables (https://docs.github.com/en/actions/reference/variables-reference) and the event's file. */
export function readWorkflowRun(env: Environment): WorkflowRun {
  const event = env.GITHUB_EVENT_NAME ?? "";
  return {
    event,
    pullRequestEvent: /^pull_request(_target)?$/.test(event)
      ? readPullRequestEvent(env.GITHUB_EVENT_PATH ?? "")
      : undefined,
    repository: env.GITHUB_REPOSITORY ?? "",
    serverUrl: env.GITHUB_SERVER_URL || "https://github.com",
    apiUrl: env.GITHUB_API_URL || "https://api.github.com",
    workspace: env.GITHUB_WORKSPACE || process.cwd(),
    sha: env.GITHUB_SHA ?? "",
    ref: env.GITHUB_REF ?? "",
    actor: env.GITHUB_ACTOR ?? "",
    runId: env.GITHUB_RUN_ID ?? "",
    runAttempt: Number(env.GITHUB_RUN_ATTEMPT) || 1,
  };
}

/** Returns undefined without a pull request. The GitHub client says if the file is broken. */
function readPullRequestEvent(path: string): PullRequestEvent | undefined {
  try {
    return v.parse(PullRequestEventSchema, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

export function repositoryUrl(run: WorkflowRun): string | undefined {
  return run.repository === "" ? undefined : `${run.serverUrl}/${run.repository}`;
}

export function runUrl(run: WorkflowRun): string {
  return `${run.serverUrl}/${run.repository}/actions/runs/${run.runId}`;
}

export function commitUrl(run: WorkflowRun, sha: string): URL | undefined {
  if (sha === "" || run.repository === "") return undefined;
  return new URL(`${run.serverUrl}/${run.repository}/commit/${sha}`);
}

const RepositorySchema = v.object({ full_name: v.string() });

/**
 * The used fields of https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request. An event that somebody wrote
 * for act may have only those that have no default here.
 */
const PullRequestSchema = v.object({
  number: v.number(),
  state: v.string(),
  merged: v.optional(v.boolean(), false),
  merge_commit_sha: v.nullish(v.string()),
  /** The repository is null if it was deleted. */
  head: v.object({ ref: v.string(), sha: v.string(), repo: v.nullable(RepositorySchema) }),
  base: v.object({ ref: v.string() }),
  /** Null if the account was deleted. */
  user: v.nullish(v.object({ login: v.string() })),
  labels: v.optional(v.array(v.object({ name: v.string() })), []),
});
export type EventPullRequest = v.InferOutput<typeof PullRequestSchema>;

const PullRequestEventSchema = v.object({
  action: v.string(),
  /** The one that was added or removed. */
  label: v.optional(v.object({ name: v.string() })),
  pull_request: PullRequestSchema,
});
export type PullRequestEvent = v.InferOutput<typeof PullRequestEventSchema>;

/** Whether the event is about a pull request that is closed and not merged, such as a label for one. */
export function isClosedUnmerged({ pullRequestEvent }: WorkflowRun): boolean {
  const pullRequest = pullRequestEvent?.pull_request;
  return pullRequest?.state === "closed" && !pullRequest.merged;
}

/** The condition with which a workflow skips pull requests of forks. */
export const unlessOfFork =
  "if: github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name == github.repository";

/**
 * Whether the pull request comes from another repository, which may be deleted by now. Such runs get no secrets, unlike those
 * of `pull_request_target`.
 */
export function isOfFork({ event, pullRequestEvent, repository }: WorkflowRun): boolean {
  if (event !== "pull_request" || pullRequestEvent === undefined) return false;
  return !equalsIgnoringCase(pullRequestEvent.pull_request.head.repo?.full_name, repository);
}

/**
 * Returns the commit that the run is about. For an open pull request that is its head, because `sha` is a merge that GitHub
 * made to test it. For a merged one, it is the merge commit on the base branch.
 */
export function headSha(run: WorkflowRun): string {
  const pullRequest = run.pullRequestEvent?.pull_request;
  if (pullRequest?.merged) return pullRequest.merge_commit_sha ?? run.sha;
  // `pull_request_target` runs on the base branch.
  return run.event === "pull_request" ? (pullRequest?.head.sha ?? run.sha) : run.sha;
}

/**
 * Returns the ref to deploy by default: the run's branch, or `refs/tags/NAME`. For a pull request, it is the head branch, or
 * the base branch once it is merged. Undefined for a fork, whose branch is not in this repository.
 */
export function refOfRun(run: WorkflowRun): string | undefined {
  const pullRequest = run.pullRequestEvent?.pull_request;
  if (pullRequest?.merged) return pullRequest.base.ref;
  if (run.event === "pull_request") return isOfFork(run) ? undefined : pullRequest?.head.ref;
  if (run.ref.startsWith("refs/heads/")) return run.ref.slice("refs/heads/".length);
  return run.ref.startsWith("refs/tags/") ? run.ref : undefined;
}

/** Returns the full name of a ref. A bare name is a branch. */
export function fullRef(ref: string): string {
  return ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
}
