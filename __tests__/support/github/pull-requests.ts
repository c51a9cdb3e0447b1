import { createHash } from "node:crypto";
import { type Call, notFound, type Routes, timestamp } from "./answer.ts";
import { example } from "./description.ts";
import type { Repository } from "./repository.ts";

/** A pull request, as tests set it up and look at it. */
export interface PullRequest {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly title: string;
  /** The head branch and its commit. */
  readonly branch: string;
  readonly sha: string;
  /** Full name of the repository that the head is in; `null` when that was deleted. */
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

/** The pull requests of a repository. */
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

  /** Opens one, with the commit and the refs that GitHub makes of it. */
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

  /** Changes one that is there: a push is another `sha`. Throws when there is none of that number. */
  change(number: number, changes: NewPullRequest): PullRequest {
    const pullRequest = this.#byNumber.get(number);
    if (pullRequest === undefined) {
      throw new Error(`There is no pull request ${number}`);
    }
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

function repositoryShape(shape: unknown, fullName: string) {
  const [owner, name] = fullName.split("/");
  const repository = Object(shape);
  return {
    ...repository,
    name,
    full_name: fullName,
    html_url: `https://github.com/${fullName}`,
    owner: { ...repository.owner, login: owner },
  };
}

/** A pull request as the API and, close enough, an event's payload show it. */
function shownPullRequest(pullRequest: PullRequest, repository: Repository, repositoryUrl: string) {
  const shape = example("pull-request");
  const { number, state, merged, title, draft, sha, branch, headRepository, login } = pullRequest;
  const { head, base, user } = {
    head: Object(shape.head),
    base: Object(shape.base),
    user: Object(shape.user),
  };
  const closedAt = state === "closed" ? timestamp(pullRequest.createdAt) : null;
  const [label] = Array.isArray(shape.labels) ? shape.labels : [];
  const [headOwner] = (headRepository ?? "unknown/repository").split("/");
  return {
    ...shape,
    number,
    state,
    title,
    draft,
    merged,
    url: `${repositoryUrl}/pulls/${number}`,
    html_url: `https://github.com/${repository.fullName}/pull/${number}`,
    closed_at: closedAt,
    merged_at: merged ? closedAt : null,
    created_at: timestamp(pullRequest.createdAt),
    user: { ...user, login },
    requested_teams: [],
    labels: pullRequest.labels.map((name, index) => ({ ...label, id: index + 1, name })),
    head: {
      ...head,
      ref: branch,
      sha,
      label: `${headOwner}:${branch}`,
      repo:
        headRepository === null
          ? null
          : { ...repositoryShape(head.repo, headRepository), fork: headRepository !== repository.fullName },
    },
    base: {
      ...base,
      ref: repository.defaultBranch,
      sha: repository.resolve(repository.defaultBranch) ?? base.sha,
      label: `${repository.owner}:${repository.defaultBranch}`,
      repo: { ...repositoryShape(base.repo, repository.fullName), default_branch: repository.defaultBranch },
    },
  };
}

/** What a workflow's event says of a pull request: `action`, and the label for `labeled` and `unlabeled`. */
export function pullRequestEvent(
  pullRequest: PullRequest,
  repository: Repository,
  action: string,
  label: string | undefined,
) {
  const shape = shownPullRequest(
    pullRequest,
    repository,
    `https://api.github.com/repos/${repository.fullName}`,
  );
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

/** What can be asked of pull requests. */
export function pullRequestRoutes(pullRequests: PullRequests, repository: Repository): Routes {
  return new Map([
    [
      "GET /repos/{owner}/{repo}/pulls/{pull_number}",
      (call: Call) => {
        const found = pullRequests.find(Number(call.pathValues.pull_number));
        return found === undefined
          ? notFound()
          : { status: 200, body: shownPullRequest(found, repository, call.repositoryUrl) };
      },
    ],
  ]);
}
