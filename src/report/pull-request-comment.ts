import type { GitHub } from "../github/client.ts";
import { findComment, putComment } from "../github/comments.ts";
import { tolerate } from "../github/records.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import { commentState } from "../runner/state.ts";
import { commentBody, commentMarker, withoutTime, withTime } from "./comment-body.ts";
import type { Ending } from "./ending.ts";
import type { Facts, Reporter } from "./progress.ts";

export interface CommentPlan {
  readonly name: string;
  readonly pullRequest: number;
  readonly headSha: string;
}

/** Changes of status that are shown while it goes on; a long run stays below 20 calls to GitHub. */
const mostInterim = 4;

/** Keeps one comment on the pull request up to date (contract, 4). */
export class CommentReporter implements Reporter {
  readonly #plan: CommentPlan;
  readonly #run: WorkflowRun;
  readonly #github: GitHub;
  readonly #ports: Ports;
  /** Undefined until it was looked for; null where there is none. */
  #id: number | null | undefined;
  #body = "";
  #interimLeft = mostInterim;

  constructor(plan: CommentPlan, run: WorkflowRun, github: GitHub, ports: Ports) {
    this.#plan = plan;
    this.#run = run;
    this.#github = github;
    this.#ports = ports;
  }

  async onRevision(facts: Readonly<Facts>): Promise<void> {
    if (!(await this.#put(facts, undefined))) this.#interimLeft = 0;
    if (typeof this.#id === "number") this.#ports.files.saveState(commentState, String(this.#id));
  }

  async onStatus(facts: Readonly<Facts>): Promise<void> {
    if (this.#interimLeft === 0) return;
    this.#interimLeft -= 1;
    if (!(await this.#put(facts, undefined))) this.#interimLeft = 0;
  }

  async onEnd(facts: Readonly<Facts>, ending: Ending): Promise<void> {
    if (ending.outcome === "planned" || ending.outcome === "skipped") return;
    const settled = await this.#put(facts, ending);
    if (settled) this.#ports.files.saveState(commentState, "");
  }

  /** Writes what changed; false where GitHub failed, which was told. */
  async #put(facts: Readonly<Facts>, ending: Ending | undefined): Promise<boolean> {
    const { name, headSha, pullRequest } = this.#plan;
    const body = commentBody({ name, facts, ending, headSha }, this.#run);
    const done = await tolerate(this.#ports.log, async () => {
      await this.#find();
      const missing = this.#id === null || this.#id === undefined;
      if (this.#body === body || (missing && ending?.outcome === "deleted")) return true;
      const text = withTime(body, this.#ports.clock.now());
      this.#id = await putComment(this.#github, pullRequest, this.#id ?? undefined, text);
      this.#body = body;
      return true;
    });
    return done === true;
  }

  async #find(): Promise<void> {
    if (this.#id !== undefined) return;
    const found = await findComment(this.#github, this.#plan.pullRequest, commentMarker(this.#plan.name));
    this.#id = found?.id ?? null;
    this.#body = found === undefined ? "" : withoutTime(found.body);
  }
}
