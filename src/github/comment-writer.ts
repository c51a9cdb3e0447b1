import type { Context } from "../context.ts";
import { type Ending, ifReplaced } from "../errors.ts";
import { commentLimits } from "../report/limits.ts";
import type { RunListener } from "../report/report.ts";
import { commentKey } from "../report/runner/saved-state.ts";
import { formatMinute } from "../text/format.ts";
import { rawText } from "../text/message.ts";
import type { GitHubClient } from "./client.ts";
import { createComment, findComment, updateComment } from "./comments.ts";

/** Keeps one comment on the pull request, written when the revision is known and at the end (docs/specification.md#comment). */
export function commentWriter(
  target: { readonly name: string; readonly pullRequest: number },
  github: GitHubClient,
  { report, files, clock, cancelled }: Context,
): RunListener {
  const { pullRequest } = target;
  const name = report.render.value(target.name);
  const marker = commentMarker(name);
  const enqueue = (ending: Ending | undefined) => {
    const document = report.document(ending, commentLimits).trimEnd();
    const body = `${marker}\n${document}\n\n<sub>Updated ${formatMinute(clock.now())}</sub>`;
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
      // After a cancellation there was little time: the post step looks whether the comment got its end.
      if (!cancelled.aborted) files.saveState(commentKey, "");
    },
  };
}

/** The hidden line by which the comment of a preview is found again. No marker of another name contains it. */
export function commentMarker(name: string): string {
  return `<!-- deploy-agent-server preview:${encodeURIComponent(name)} -->`;
}

/** The text after the run was killed: a status in progress is replaced. */
export function killedCommentBody(body: string): string {
  return body.replace(
    /^### ⏳ (Preview `+[^`]*`+): .*$/m,
    `### ❌ $1: the run was killed, and the state of the revision is unknown\n\n${rawText(ifReplaced)} Otherwise, re-run the job.`,
  );
}
