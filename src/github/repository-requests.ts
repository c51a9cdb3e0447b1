import * as v from "valibot";
import { GitHubError, type Purpose } from "./errors.ts";
import { purposes } from "./purposes.ts";
import { pullRequestSchema } from "./schemas.ts";
import type { GitHubTransport } from "./transport.ts";

/** What decides whether a pull request has a preview. */
export interface PullRequestState {
  readonly open: boolean;
  readonly labels: readonly string[];
}

/** What stands at a path. */
export type PathKind = "file" | "folder" | "missing";

/** The requests about what is in the repository: its files, refs and pull requests. Every method throws GitHubError. */
export class RepositoryRequests {
  readonly #transport: GitHubTransport;

  constructor(transport: GitHubTransport) {
    this.#transport = transport;
  }

  async pullRequest(number: number, purpose: Purpose = purposes.readPullRequest): Promise<PullRequestState> {
    const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
    const found = await this.#transport.read(purpose, pullRequestSchema(number), async (octokit, options) => {
      return (await octokit.request(route, { ...options, pull_number: number })).data;
    });
    return { open: found.state === "open", labels: found.labels.map(({ name }) => name) };
  }

  /** Whether a ref such as `refs/heads/main` exists. */
  async refExists(fullRef: string): Promise<boolean> {
    const ref = fullRef.replace(/^refs\//, "");
    const found = await this.#ifFound(
      this.#transport.read(purposes.readContents, FoundRefSchema, (octokit, options) =>
        octokit.request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...options, ref }),
      ),
    );
    return found !== undefined;
  }

  /** What stands at a path at a ref; `""` is the root. */
  async pathKind(path: string, ref: string): Promise<PathKind> {
    const found = await this.#ifFound(
      this.#transport.read(purposes.readContents, FoundPathSchema, (octokit, options) =>
        octokit.request("GET /repos/{owner}/{repo}/contents/{path}", { ...options, path, ref }),
      ),
    );
    if (found === undefined) return "missing";
    return Array.isArray(found.data) ? "folder" : "file";
  }

  async #ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof GitHubError && error.status === 404) return undefined;
      throw error;
    }
  }
}

/** Answers that are only looked at to see that they are GitHub's, and not the page of something in between. */
const FoundRefSchema = v.looseObject({ data: v.looseObject({ ref: v.string() }) });
const FoundPathSchema = v.looseObject({
  data: v.union([v.array(v.unknown()), v.looseObject({ type: v.string() })]),
});
