import type { Ending } from "../../errors.ts";
import type { GitHubClient } from "../../github/client.ts";
import { createComment, findComment, type OwnComment, updateComment } from "../../github/comments.ts";
import type { RunFacts } from "../facts.ts";
import type { WriterContext } from "../report.ts";
import { commentEndKey, commentIdKey } from "../runner/saved-state.ts";
import type { Writer } from "../writer.ts";
import {
  commentBody,
  commentMarker,
  isSameExceptRun,
  saysDeleted,
  withoutTime,
  withTime,
  withUrlBefore,
} from "./comment-body.ts";
import { SavedWrite } from "./saved-write.ts";

interface CommentTarget {
  readonly name: string;
  readonly pullRequest: number;
  readonly headSha: string;
}

/**
 * How many statuses the comment shows before the end. With more, a run after several failed ones would need more than 20
 * requests (docs/specification.md#github-records).
 */
const maxStatusUpdates = 1;
/** A status is shown once it has lasted this long, in milliseconds: so the comment shows what takes the time. */
const minStatusMs = 10_000;

/** Keeps one comment on the pull request up to date (docs/specification.md#comment). */
export class CommentWriter implements Writer {
  readonly #target: CommentTarget;
  readonly #github: GitHubClient;
  readonly #context: WriterContext;
  readonly #saved: SavedWrite;
  /** Undefined as long as it was not searched for, null if there is none. */
  #comment: OwnComment | null | undefined;
  #statusUpdatesLeft = maxStatusUpdates;
  #isNew = false;

  constructor(target: CommentTarget, github: GitHubClient, context: WriterContext) {
    this.#target = { ...target, name: context.report.render.value(target.name) };
    this.#github = github;
    this.#context = context;
    this.#saved = new SavedWrite({ idKey: commentIdKey, endKey: commentEndKey }, github, context.files);
  }

  onRevision(facts: RunFacts): void {
    this.#show(facts);
  }

  onPoll(facts: RunFacts): void {
    const current = facts.statuses.at(-1);
    if (current?.status.kind !== "pending" || this.#statusUpdatesLeft === 0) return;
    if (this.#context.clock.now() - current.at < minStatusMs) return;
    this.#statusUpdatesLeft -= 1;
    this.#show(facts);
  }

  #show(facts: RunFacts): void {
    const body = this.#bodyOf(facts);
    this.#github.enqueue(async () => {
      if (!(await this.#write(body))) this.#statusUpdatesLeft = 0;
    });
  }

  async onEnd(facts: RunFacts, result: Ending): Promise<void> {
    if (isShown(result)) {
      const body = this.#bodyOf(facts, result);
      this.#saved.end(body, () => this.#end(body, result));
    }
    await this.#github.finish();
  }

  async #end(body: string, result: Ending): Promise<boolean> {
    // Another run may have written a comment at the same time. Then the older one stays.
    if (this.#isNew && !this.#context.cancelled.aborted) this.#comment = undefined;
    return await this.#write(body, result);
  }

  /** Returns false if GitHub failed. */
  async #write(body: string, result?: Ending): Promise<boolean> {
    const isWritten = await this.#github.warnOnFailure(async () => {
      if (this.#comment === undefined) await this.#find();
      await this.#writeBody(body, result);
      return true;
    });
    return isWritten === true;
  }

  #bodyOf(facts: RunFacts, result?: Ending): string {
    const { report, workflow } = this.#context;
    return commentBody({ ...this.#target, facts, result }, workflow, report.render);
  }

  /**
   * A deleted preview gets no new comment, and no update that only changes the link to the run, or says in place of an earlier
   * run that there is nothing to delete.
   */
  async #writeBody(newBody: string, result: Ending | undefined): Promise<void> {
    const isDeleted = result?.outcome === "deleted";
    const current = this.#comment?.body;
    const body = isDeleted || current === undefined ? newBody : withUrlBefore(newBody, current);
    if (current === body || (isDeleted && current !== undefined && isSameExceptRun(current, body))) return;
    if (result?.special === "nothing_to_delete" && current !== undefined && saysDeleted(current)) return;
    if (await this.#update(body)) return;
    // If someone deleted the comment, another run may have written a new one.
    if (this.#comment) await this.#find();
    if (!(await this.#update(body)) && !isDeleted) await this.#create(body);
  }

  async #update(body: string): Promise<boolean> {
    const id = this.#comment?.id;
    if (id === undefined || !(await updateComment(this.#github, id, this.#timed(body)))) return false;
    this.#keep({ id, body });
    return true;
  }

  async #create(body: string): Promise<void> {
    // If the response is lost, the comment is searched for again.
    this.#comment = undefined;
    const { name, pullRequest } = this.#target;
    const send = () => createComment(this.#github, pullRequest, this.#timed(body));
    const id = await this.#saved.make({ name, pull_request: pullRequest }, send);
    this.#isNew = true;
    this.#comment = { id, body };
  }

  async #find(): Promise<void> {
    const { name, pullRequest } = this.#target;
    const found = await findComment(this.#github, pullRequest, commentMarker(name));
    if (found) this.#keep({ id: found.id, body: withoutTime(found.body) });
    else this.#comment = null;
  }

  #keep(comment: OwnComment): void {
    this.#comment = comment;
    this.#saved.exists(comment.id);
  }

  #timed(body: string): string {
    return withTime(body, this.#context.clock.now());
  }
}

function isShown({ outcome }: Ending): boolean {
  return outcome !== "planned" && outcome !== "skipped";
}
