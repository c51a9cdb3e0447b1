import * as v from "valibot";
import type { Context } from "../context.ts";
import type { Ending } from "../errors.ts";
import { renderDocument } from "../report/document.ts";
import { commentLimits } from "../report/limits.ts";
import { savedCommentKey } from "../report/runner/saved-state.ts";
import { formatMinute } from "../text/format.ts";
import { type GitHubClient, sentOnce } from "./github-client.ts";
import { operations } from "./operations.ts";
import { CommentListSchema, WrittenSchema } from "./schemas.ts";

/** Which comment is whose: the main step saves it for the post step. */
export const CommentedPreviewSchema = v.object({ name: v.string(), pullRequest: v.number() });
type CommentedPreview = Readonly<v.InferOutput<typeof CommentedPreviewSchema>>;

/** Writes one comment on the pull request when the revision is known and at the end (docs/specification.md#comment). */
export function commentOnRun(preview: CommentedPreview, github: GitHubClient, context: Context): void {
  const { report } = context;
  const name = report.render.redactIdentifier(preview.name);
  const { pullRequest } = preview;
  const write = async () => {
    const comment = await findComment(github, pullRequest, commentMarker(name));
    const body = commentBody(name, context);
    if (comment !== undefined) await updateComment(github, comment.id, body);
    // A deleted preview gets no new comment.
    else if (report.state.ending?.outcome !== "deleted") await createComment(github, pullRequest, body);
  };
  report.writers.add({
    savedState: { key: savedCommentKey, value: { name, pullRequest } },
    writeRevision: write,
    async writeEnd({ outcome }) {
      if (outcome !== "skipped") await write();
    },
  });
}

/** Returns the hidden line that identifies the comment of a preview. The encoded name can't end the line early. */
function commentMarker(name: string): string {
  return `<!-- deploy-agent-server preview:${encodeURIComponent(name)} -->`;
}

function runningMarker({ workflow }: Context): string {
  return `<!-- run ${encodeURIComponent(workflow.runId)} has not ended -->`;
}

export function commentBody(name: string, context: Context): string {
  const { report, workflow } = context;
  const document = renderDocument(report.state, workflow, commentLimits, report.render).trimEnd();
  const hidden = report.state.ending === undefined ? `\n${runningMarker(context)}` : "";
  const updated = `<sub>Updated ${formatMinute(context.clock.now())}</sub>`;
  return `${commentMarker(name)}${hidden}\n${document}\n\n${updated}`;
}

/** Updates the comment of a run that was killed or cancelled. One that another run has updated since stays. */
export async function endComment(
  { name, pullRequest }: CommentedPreview,
  ending: Ending,
  github: GitHubClient,
  context: Context,
): Promise<void> {
  const comment = await findComment(github, pullRequest, commentMarker(name));
  if (comment === undefined || !comment.body.includes(runningMarker(context))) return;
  context.report.set({ shownName: name, ending });
  await updateComment(github, comment.id, commentBody(name, context));
}

/** Returns the oldest comment on a pull request that starts with the marker and that the login of the token wrote. */
export async function findComment(
  github: GitHubClient,
  pullRequest: number,
  marker: string,
): Promise<{ readonly id: number; readonly body: string } | undefined> {
  const operation = operations.readComments;
  const viewer = await github.viewer(operation);
  const comments = await github.call(operation, CommentListSchema, async ({ octokit, repo }) => ({
    data: await octokit.paginate(octokit.rest.issues.listComments, {
      ...repo,
      issue_number: pullRequest,
      per_page: 100,
    }),
  }));
  return comments.find(({ user, body }) => user?.login === viewer && body.trimStart().startsWith(marker));
}

export async function createComment(github: GitHubClient, pullRequest: number, body: string): Promise<void> {
  await github.call(operations.writeComment, WrittenSchema, ({ octokit, repo }) =>
    octokit.rest.issues.createComment({ ...repo, issue_number: pullRequest, body, request: sentOnce }),
  );
}

export async function updateComment(github: GitHubClient, id: number, body: string): Promise<void> {
  await github.call(operations.writeComment, WrittenSchema, ({ octokit, repo }) =>
    octokit.rest.issues.updateComment({ ...repo, comment_id: id, body }),
  );
}
