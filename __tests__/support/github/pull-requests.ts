import { createHash } from "node:crypto";
import { type ApiCall, notFound, type Routes, timestamp } from "./api-response.ts";
import { example } from "./description.ts";
import type { Repository } from "./repository.ts";

/** A pull request. */
export interface PullRequest {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly title: string;
  /** The head branch and its commit. */
  readonly branch: string;
  readonly sha: string;
  /** Full name of the repository of the head; `null` if that was deleted. */
  readonly headRepository: string | null;
  readonly labels: readonly string[];
  readonly draft: boolean;
  /** Who opened it. */
  readonly login: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export type NewPullRequest = Partial<Omit<PullRequest, "createdAt">>;

/** The commit that a workflow runs on: GitHub's merge of the head into the base. */
export function mergeSha({ sha }: PullRequest): string {
  return createHash("sha1").update(`merge of ${sha}`).digest("hex");
}

export class PullRequests {
  readonly #repository: Repository;
  readonly #now: () => number;
  readonly #byNumber = new Map<number, PullRequest>();

  constructor(repository: Repository, now: () => number) {
    this.#repository = repository;
    this.#now = now;
  }

  has(number: number): boolean {
    return this.#byNumber.has(number);
  }

  find(number: number): PullRequest | undefined {
    return this.#byNumber.get(number);
  }

  /** Opens one, with the commits and refs that GitHub makes for it. */
  open(given: NewPullRequest = {}): PullRequest {
    const number = given.number ?? 1;
    return this.#set({
      number,
      state: "open",
      merged: false,
      title: `Pull request ${number}`,
      branch: `feature-${number}`,
      sha: number.toString(16).padStart(40, "c"),
      headRepository: this.#repository.fullName,
      labels: [],
      draft: false,
      login: "octocat",
      ...given,
      createdAt: this.#now(),
    });
  }

  /** Changes one: a push is another `sha`. @throws an error if there is none with this number */
  change(number: number, changes: NewPullRequest): PullRequest {
    const pullRequest = this.#byNumber.get(number);
    if (pullRequest === undefined) throw new Error(`There is no pull request ${number}`);
    return this.#set({ ...pullRequest, ...changes, number });
  }

  #set(pullRequest: PullRequest): PullRequest {
    this.#byNumber.set(pullRequest.number, pullRequest);
    const { number, sha, branch, headRepository } = pullRequest;
    const base = this.#repository.resolve(this.#repository.defaultBranch);
    const files = this.#repository.files(this.#repository.resolve(sha) ?? base ?? "");
    const ownBranch = headRepository === this.#repository.fullName ? [`heads/${branch}`] : [];
    this.#repository.commit(sha, files, `pull/${number}/head`, ...ownBranch);
    this.#repository.commit(mergeSha(pullRequest), files, `pull/${number}/merge`);
    return pullRequest;
  }
}

function repositoryJson(shape: unknown, fullName: string) {
  const [login, name] = fullName.split("/");
  const repository = Object(shape);
  return { ...repository, name, full_name: fullName, owner: { ...repository.owner, login } };
}

/** A pull request in a response, and almost the same in the payload of an event. */
function pullRequestJson(pullRequest: PullRequest, repository: Repository) {
  const shape = Object(example("pull-request"));
  const { head, base, user, labels } = shape;
  const { number, state, merged, title, draft, sha, branch, headRepository, login } = pullRequest;
  const closedAt = state === "closed" ? timestamp(pullRequest.createdAt) : null;
  const isFork = headRepository !== repository.fullName;
  return {
    ...shape,
    ...{ number, state, title, draft, merged },
    closed_at: closedAt,
    merged_at: merged ? closedAt : null,
    user: { ...user, login },
    requested_teams: [],
    labels: pullRequest.labels.map((name, index) => ({ ...labels[0], id: index + 1, name })),
    head: {
      ...head,
      ref: branch,
      sha,
      repo: headRepository === null ? null : { ...repositoryJson(head.repo, headRepository), fork: isFork },
    },
    base: {
      ...base,
      ref: repository.defaultBranch,
      sha: repository.resolve(repository.defaultBranch),
      repo: { ...repositoryJson(base.repo, repository.fullName), default_branch: repository.defaultBranch },
    },
  };
}

/** The event of a workflow run for a pull request. `label`: for `labeled` and `unlabeled`. */
export function pullRequestEvent(
  pullRequest: PullRequest,
  repository: Repository,
  action: string,
  label: string | undefined,
) {
  const shape = pullRequestJson(pullRequest, repository);
  return {
    name: "pull_request",
    payload: {
      action,
      number: pullRequest.number,
      pull_request: shape,
      repository: shape.base.repo,
      sender: shape.user,
      ...(label === undefined ? {} : { label: { ...Object(shape.labels[0]), name: label } }),
    },
  };
}

/** The operations on pull requests. */
export function pullRequestRoutes(pullRequests: PullRequests, repository: Repository): Routes {
  return new Map([
    [
      "GET /repos/{owner}/{repo}/pulls/{pull_number}",
      (call: ApiCall) => {
        const found = pullRequests.find(Number(call.pathValues.pull_number));
        return found === undefined ? notFound() : { status: 200, body: pullRequestJson(found, repository) };
      },
    ],
  ]);
}
