import type { Context } from "../context.ts";
import { CommentRequests } from "./comment-requests.ts";
import { purposes } from "./purposes.ts";
import { RecordRequests } from "./record-requests.ts";
import { RepositoryRequests } from "./repository-requests.ts";
import { ViewerSchema } from "./schemas.ts";
import { type Tolerate, tolerating } from "./tolerate.ts";
import { type GitHubSettings, GitHubTransport } from "./transport.ts";

/** The operations on GitHub that this action needs. */
export class GitHub {
  readonly records: RecordRequests;
  readonly comments: CommentRequests;
  readonly repository: RepositoryRequests;
  readonly #transport: GitHubTransport;
  #viewer: string | undefined;
  #reserved = 0;
  /** Does what the deployment doesn't depend on: a failure is told and becomes undefined. */
  readonly tolerate: Tolerate;

  constructor(settings: GitHubSettings, context: Context) {
    const transport = new GitHubTransport(settings, context);
    this.#transport = transport;
    this.records = new RecordRequests(transport);
    this.comments = new CommentRequests(transport);
    this.repository = new RepositoryRequests(transport);
    this.tolerate = tolerating(context.log);
  }

  /** How often GitHub was called so far, further pages not counted, with what is reserved. */
  get calls(): number {
    return this.#transport.calls + this.#reserved;
  }

  /** Keeps so many of a run's calls for its end, out of reach of whoever can do without (see `calls`). */
  reserve(calls: number): void {
    this.#reserved += calls;
  }

  /**
   * The login that the token writes as. A workflow's own token can't ask REST for it, so GraphQL it is; that takes no
   * permission of its own, so a failure names the one of what it is asked for.
   * @throws GitHubError
   */
  async viewer(forWhat: "readRecords" | "readComments"): Promise<string> {
    if (this.#viewer === undefined) {
      const { viewer } = await this.#transport.read(purposes[forWhat], ViewerSchema, (octokit, { request }) =>
        octokit.graphql("query { viewer { login } }", { request }),
      );
      this.#viewer = viewer.login;
    }
    return this.#viewer;
  }
}
