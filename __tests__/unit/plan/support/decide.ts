import { type PreviewTask, previewTask } from "../../../../src/actions/preview-event.ts";

/** An event about pull request 7 of `octo-org/octo-repo`. */
export interface Given {
  readonly action: string;
  readonly state?: "open" | "closed";
  readonly labels?: readonly string[];
  /** The one that was added or removed. */
  readonly changed?: string;
  readonly head?: string | null;
  /** `null`: the account is gone. */
  readonly author?: string | null;
  readonly actor?: string;
  readonly wanted?: string;
  readonly hasKey?: boolean;
  readonly event?: string;
}

export function decide(given: Given) {
  const { head = "octo-org/octo-repo", author = "octocat" } = given;
  const payload = {
    action: given.action,
    ...(given.changed !== undefined && { label: { name: given.changed } }),
    pull_request: {
      number: 7,
      state: given.state ?? (given.action === "closed" ? "closed" : "open"),
      head: { sha: "abc", repo: head === null ? null : { full_name: head } },
      user: author === null ? null : { login: author },
      labels: (given.labels ?? []).map((name) => ({ name })),
    },
  };
  const run = {
    event: given.event ?? "pull_request",
    payload,
    repository: "octo-org/octo-repo",
    actor: given.actor ?? "octocat",
  };
  return previewTask(run, { label: given.wanted, hasKey: given.hasKey ?? true });
}

const pullRequest = { number: 7, headSha: "abc" };
export const deployed: PreviewTask = { kind: "deploy", pullRequest };

export function deleted(why: string): PreviewTask {
  return { kind: "delete", pullRequest, why };
}

export function skipped(why: string): PreviewTask {
  return { kind: "skip", why };
}
