import type { Context } from "../context.ts";
import type { GitHub } from "../github/client.ts";
import { findComment, type OwnComment, updateComment } from "../github/comments.ts";
import { wasRefused } from "../github/errors.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import { kindOfStatus } from "../platform/status.ts";
import type { Ending } from "../progress/ending.ts";
import type { Facts } from "../progress/facts.ts";
import type { Reporter } from "../progress/progress.ts";
import { commentEndState, commentState } from "../runner/state.ts";
import { commentBody, commentMarker, sameButForLog, withoutTime, withTime } from "./comment-body.ts";

export interface CommentPlan {
  readonly name: string;
  readonly pullRequest: number;
  readonly headSha: string;
}

/** Changes of status that are shown while it goes on, at most. */
const maxInterim = 4;
/**
 * From so many calls to GitHub on no more of them are: six are left for the end of a run, which needs at most 20
 * (issue "Pull-request previews").
 */
const callsBeforeEnd = 14;

/** Keeps one comment on the pull request up to date (contract, 4). */
export class CommentReporter implements Reporter {
  readonly #plan: CommentPlan;
  readonly #run: WorkflowRun;
  readonly #github: GitHub;
  readonly #context: Context;
  /** Undefined until it was looked for; null where there is none. */
  #comment: OwnComment | null | undefined;
  #interimLeft = maxInterim;
  #createdHere = false;

  constructor(plan: CommentPlan, run: WorkflowRun, github: GitHub, context: Context) {
    this.#plan = plan;
    this.#run = run;
    this.#github = github;
    this.#context = context;
  }

  async onRevision(facts: Facts): Promise<void> {
    if (!(await this.#put(facts, undefined))) this.#interimLeft = 0;
  }

  async onStatus(facts: Facts): Promise<void> {
    if (this.#interimLeft === 0 || this.#github.calls >= callsBeforeEnd || isLast(facts)) return;
    this.#interimLeft -= 1;
    if (!(await this.#put(facts, undefined))) this.#interimLeft = 0;
  }

  /** For the `post:` step, which settles what this one can't. */
  onEnding(facts: Facts, ending: Ending): void {
    if (isTold(ending)) this.#context.files.saveState(commentEndState, this.#bodyOf(facts, ending));
  }

  async onEnd(facts: Facts, ending: Ending): Promise<void> {
    if (!isTold(ending)) return;
    // Another run at the same time may have written one too: of the two the older stays.
    if (this.#createdHere && !this.#context.cancelled.aborted) this.#comment = undefined;
    if (!(await this.#put(facts, ending))) return;
    this.#context.files.saveState(commentState, "");
    this.#context.files.saveState(commentEndState, "");
  }

  /** Writes what changed; false where GitHub failed, which was told. */
  async #put(facts: Facts, ending: Ending | undefined): Promise<boolean> {
    const body = this.#bodyOf(facts, ending);
    const done = await this.#github.tolerate(async () => {
      if (this.#comment === undefined) await this.#find();
      await this.#write(body, ending?.outcome === "deleted");
      return true;
    });
    return done === true;
  }

  #bodyOf(facts: Facts, ending: Ending | undefined): string {
    const { name, headSha } = this.#plan;
    return commentBody({ name, facts, ending, headSha }, this.#run);
  }

  /** Of a preview that is gone nothing is written anew, and nothing but another run's log is no change. */
  async #write(body: string, isGone: boolean): Promise<void> {
    if (this.#comment && isSame(this.#comment.body, body, isGone)) return;
    const text = withTime(body, this.#context.clock.now());
    if (await this.#update(body, text)) return;
    // Where someone deleted it, another run may have written it anew already.
    if (this.#comment) await this.#find();
    if (!(await this.#update(body, text)) && !isGone) await this.#create(body, text);
  }

  async #update(body: string, text: string): Promise<boolean> {
    const id = this.#comment?.id;
    if (id === undefined || !(await updateComment(this.#github, id, text))) return false;
    this.#keep({ id, body });
    return true;
  }

  async #create(body: string, text: string): Promise<void> {
    // Where the answer is lost, whether there is one now is asked again.
    this.#comment = undefined;
    const { name, pullRequest } = this.#plan;
    const { files } = this.#context;
    files.saveState(commentState, JSON.stringify({ name, pull_request: pullRequest }));
    const id = await this.#github.comments.create(pullRequest, text).catch((error: unknown) => {
      if (wasRefused(error)) files.saveState(commentState, "");
      throw error;
    });
    this.#createdHere = true;
    this.#keep({ id, body });
  }

  async #find(): Promise<void> {
    const found = await findComment(this.#github, this.#plan.pullRequest, commentMarker(this.#plan.name));
    if (found) this.#keep({ id: found.id, body: withoutTime(found.body) });
    else this.#comment = null;
  }

  #keep(comment: OwnComment): void {
    this.#comment = comment;
    this.#context.files.saveState(commentState, String(comment.id));
  }
}

function isTold({ outcome }: Ending): boolean {
  return outcome !== "planned" && outcome !== "skipped";
}

function isSame(current: string, body: string, isGone: boolean): boolean {
  return current === body || (isGone && sameButForLog(current, body));
}

/** The end is told by `onEnd`, so a status that brings it isn't worth a change of its own. */
function isLast(facts: Facts): boolean {
  const status = facts.statuses.at(-1)?.status;
  return status !== undefined && kindOfStatus(status) !== "pending";
}
