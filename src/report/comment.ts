import { type Ending, ifReplaced } from "../errors.ts";
import type { GitHubClient } from "../github/client.ts";
import { upsertComment } from "../github/comments.ts";
import { runUrl, type WorkflowRun } from "../github/workflow-run.ts";
import { formatMinute } from "../text/format.ts";
import { rawText } from "../text/message.ts";
import { commentLimits } from "./document.ts";
import type { Follower, FollowerContext } from "./report.ts";
import { commentEndKey, commentIdKey } from "./runner/saved-state.ts";
import { SavedWrite } from "./saved-write.ts";

interface CommentTarget {
  readonly name: string;
  readonly pullRequest: number;
}

/** Keeps one comment on the pull request, written when the revision is known and at the end (docs/specification.md#comment). */
export class CommentFollower implements Follower {
  readonly #target: CommentTarget;
  readonly #github: GitHubClient;
  readonly #context: FollowerContext;
  readonly #saved: SavedWrite;
  #id: number | undefined;

  constructor({ name, pullRequest }: CommentTarget, github: GitHubClient, context: FollowerContext) {
    this.#target = { name: context.report.render.value(name), pullRequest };
    this.#github = github;
    this.#context = context;
    this.#saved = new SavedWrite({ idKey: commentIdKey, endKey: commentEndKey }, github, context.files);
  }

  onRevision(): void {
    const body = this.#body();
    this.#github.enqueue(async () => void (await this.#write(body, true)));
  }

  async onEnd(ending: Ending): Promise<void> {
    const { outcome } = ending;
    if (outcome !== "planned" && outcome !== "skipped") {
      const body = this.#body(ending);
      // A deleted preview gets no new comment.
      this.#saved.end(body, () => this.#write(body, outcome !== "deleted"));
    }
    await this.#github.finish();
  }

  /** Returns false if GitHub failed. */
  async #write(text: string, mayCreate: boolean): Promise<boolean> {
    const github = this.#github;
    const { name, pullRequest } = this.#target;
    const marker = commentMarker(name);
    const body = withTime(text, this.#context.clock.now());
    const send = () => upsertComment(github, { pullRequest, marker, body, id: this.#id, mayCreate });
    const isWritten = await github.warnOnFailure(async () => {
      this.#id = this.#id ? await send() : await this.#saved.make({ name, pull_request: pullRequest }, send);
      return true;
    });
    return isWritten === true;
  }

  #body(ending?: Ending): string {
    const document = this.#context.report.document(ending, commentLimits);
    return `${commentMarker(this.#target.name)}\n${document.trimEnd()}`;
  }
}

/** The hidden line by which the comment of a preview is found again. No marker of another name contains it. */
export function commentMarker(name: string): string {
  return `<!-- deploy-agent-server preview:${encodeURIComponent(name)} -->`;
}

/** The text with the time of its last change; `now` in milliseconds since the epoch. */
export function withTime(body: string, now: number): string {
  return `${body}\n\n<sub>Updated ${formatMinute(now)}</sub>`;
}

/** The text of a comment from GitHub without that time. */
export function withoutTime(body: string): string {
  return body.replaceAll("\r\n", "\n").replace(/\n\n<sub>Updated [^\n]*<\/sub>\s*$/, "");
}

/** Whether this run was the last to write the text. */
export function wasWrittenBy(workflow: WorkflowRun, body: string): boolean {
  return body.includes(`](<${runUrl(workflow)}>)`);
}

/** The text after the run was killed: a status in progress is replaced. */
export function killedCommentBody(body: string): string {
  return body.replace(
    /^### ⏳ (Preview `+[^`]*`+): .*$/m,
    `### ❌ $1: the run was killed, and the state of the revision is unknown\n\n${rawText(ifReplaced)} Otherwise, re-run the job.`,
  );
}
