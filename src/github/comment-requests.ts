import * as v from "valibot";
import { pageSize } from "./pages.ts";
import { purposes } from "./purposes.ts";
import { type Comment, CommentListSchema, CommentSchema, commentSchema, WrittenSchema } from "./schemas.ts";
import type { GitHubTransport } from "./transport.ts";

/** The requests about comments on pull requests. Every method throws GitHubError. */
export class CommentRequests {
  readonly #transport: GitHubTransport;

  constructor(transport: GitHubTransport) {
    this.#transport = transport;
  }

  /** All comments of a pull request, oldest first. */
  list(pullRequest: number): Promise<Comment[]> {
    return this.#transport.readPages(
      purposes.readComments,
      CommentListSchema,
      async (octokit, options, page) => {
        const asked = { ...options, issue_number: pullRequest };
        const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
        return (await octokit.request(route, { ...asked, per_page: pageSize, page })).data;
      },
    );
  }

  async body(id: number): Promise<string> {
    const comment = await this.#transport.read(
      purposes.readComments,
      commentSchema(id),
      async (octokit, options) => {
        const route = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";
        return (await octokit.request(route, { ...options, comment_id: id })).data;
      },
    );
    return comment.body;
  }

  /** Writes a comment. Tells its id. */
  async create(pullRequest: number, body: string): Promise<number> {
    const comment = await this.#transport.write(
      purposes.writeComment,
      CommentSchema,
      async (octokit, options) => {
        const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
        return (await octokit.request(route, { ...options, issue_number: pullRequest, body })).data;
      },
    );
    return comment.id;
  }

  async update(id: number, body: string): Promise<void> {
    await this.#transport.write(purposes.writeComment, WrittenSchema, (octokit, options) =>
      octokit.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...options,
        comment_id: id,
        body,
      }),
    );
  }

  async delete(id: number): Promise<void> {
    await this.#transport.write(purposes.writeComment, v.unknown(), (octokit, options) =>
      octokit.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...options,
        comment_id: id,
      }),
    );
  }
}
