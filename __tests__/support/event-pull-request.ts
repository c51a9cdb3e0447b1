import type { EventPullRequest } from "../../src/workflow-run.ts";

/** Pull request 7 of `octo-org/octo-repo` as an event shows it: open, from `topic` to `main`. */
export function eventPullRequest(changes: Partial<EventPullRequest> = {}): EventPullRequest {
  return {
    number: 7,
    state: "open",
    merged: false,
    merge_commit_sha: "test-merge",
    head: headOf("octo-org/octo-repo"),
    base: { ref: "main" },
    user: { login: "octocat" },
    labels: [],
    ...changes,
  };
}

/** A head in this repository; `null`: in one that was deleted. */
export function headOf(repository: string | null, sha = "head", ref = "topic"): EventPullRequest["head"] {
  return { ref, sha, repo: repository === null ? null : { full_name: repository } };
}
