import type { Context } from "../context.ts";
import type { Ending } from "../errors.ts";
import { commentLimits } from "../report/limits.ts";
import type { RunListener } from "../report/run-listener.ts";
import { commentKey } from "../report/runner/saved-state.ts";
import { formatMinute } from "../text/format.ts";
import type { GitHubClient } from "./client.ts";
import { createComment, findComment, updateComment } from "./comments.ts";

/** Keeps one comment on the pull request, written when the revision is known and at the end (docs/specification.md#comment). */
export function commentWriter(
  place: { readonly name: string; readonly pullRequest: number },
  github: GitHubClient,
  context: Context,
): RunListener {
  const { pullRequest } = place;
  const { files, cancelled } = context;
  const name = context.report.render.value(place.name);
  const marker = commentMarker(name);
  const enqueue = (ending: Ending | undefined) => {
    const body = commentBody(name, ending, context);
    github.enqueue(async () => {
      const found = await findComment(github, pullRequest, marker);
      if (found !== undefined) await updateComment(github, found.id, body);
      // A deleted preview gets no new comment.
      else if (ending?.outcome !== "deleted") await createComment(github, pullRequest, body);
    });
  };
  return {
    onRevision() {
      files.saveState(commentKey, JSON.stringify({ name, pullRequest }));
      enqueue(undefined);
    },
    async onEnd(ending) {
      if (ending.outcome !== "planned" && ending.outcome !== "skipped") enqueue(ending);
      await github.finish();
      // After a cancellation there is little time, so the post step checks whether the comment shows the end.
      if (!cancelled.aborted) files.saveState(commentKey, "");
    },
  };
}

/** Returns the hidden line by which the comment of a preview is found again. No marker of another name contains it. */
function commentMarker(name: string): string {
  return `<!-- deploy-agent-server preview:${encodeURIComponent(name)} -->`;
}

/** Returns the hidden line in the comment of a run that has not ended. */
function runningMarker({ workflow }: Context): string {
  return `<!-- run ${encodeURIComponent(workflow.runId)} has not ended -->`;
}

/** Returns the text of a preview's comment. `ending`: undefined while the run is still going. */
export function commentBody(name: string, ending: Ending | undefined, context: Context): string {
  const document = context.report.writeDocument(ending, commentLimits).trimEnd();
  const hidden = ending === undefined ? `\n${runningMarker(context)}` : "";
  const updated = `<sub>Updated ${formatMinute(context.clock.now())}</sub>`;
  return `${commentMarker(name)}${hidden}\n${document}\n\n${updated}`;
}

/** Writes how a run ended that could not do so itself. A comment that another run took over stays. */
export async function endComment(
  { name, pullRequest }: { readonly name: string; readonly pullRequest: number },
  ending: Ending,
  github: GitHubClient,
  context: Context,
): Promise<void> {
  const found = await findComment(github, pullRequest, commentMarker(name));
  if (found === undefined || !found.body.includes(runningMarker(context))) return;
  context.report.set({ shownName: name });
  await updateComment(github, found.id, commentBody(name, ending, context));
}
