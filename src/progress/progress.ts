import type { Context } from "../context.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { Ending } from "./ending.ts";
import { type Facts, noFacts } from "./facts.ts";
import { showing, shownEnding } from "./shown.ts";

/**
 * Someone who is told how the run goes: the log, the outputs, the summary, GitHub's record, the comment. What the
 * platform says comes without the run's secrets, should it quote them.
 */
export interface Reporter {
  /** The run has begun; `facts` tells at any time what is known by then. */
  onStart?(facts: () => Facts): void;
  /** Something was sent that changes the platform, or what came of it is known. */
  onWrite?(facts: Facts): void;
  /** The deployment is known: found, or just made. */
  onDeployment?(facts: Facts): void;
  /** This run's revision is known. */
  onRevision?(facts: Facts): Promise<void> | void;
  /** Its status changed. */
  onStatus?(facts: Facts): Promise<void> | void;
  /** It is known how the run ended, and nobody has been told yet: the moment to keep it, should the step be killed. */
  onEnding?(facts: Facts, ending: Ending): void;
  onEnd?(facts: Facts, ending: Ending): Promise<void> | void;
}

/** Keeps the facts of a run and passes what happens on to the reporters, one after the other. */
export class Progress {
  readonly #facts: { -readonly [Fact in keyof Facts]: Facts[Fact] };
  /** What is done after a cancel before that is reported, and what came of it, as a sentence (`on_cancel`). */
  lastAct: (() => Promise<string>) | undefined;
  readonly #show: (facts: Facts) => Facts;
  readonly #reporters: Reporter[] = [];
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
    this.#facts = noFacts(context.clock.now());
    this.#show = showing(context.redact);
  }

  get #shown(): Facts {
    return this.#show(this.#facts);
  }

  get facts(): Facts {
    return this.#facts;
  }

  /** Adds to what is known, without telling anyone yet. */
  note(news: Partial<Facts>): void {
    Object.assign(this.#facts, news);
  }

  tell(...reporters: Reporter[]): void {
    this.#reporters.push(...reporters);
    for (const reporter of reporters) reporter.onStart?.(() => this.#shown);
  }

  /** Whether anyone hears how it ends. */
  get isTold(): boolean {
    return this.#reporters.length > 0;
  }

  /** Says that the write is sent now: from this moment (milliseconds since the epoch) the run's time counts. */
  writing(): number {
    const now = this.#context.clock.now();
    this.#sent({ writtenAt: now });
    return now;
  }

  /** Says what a run that is cancelled or killed now may leave behind, as a sentence. */
  mayLeave(unsettled: string): void {
    this.#sent({ unsettled });
  }

  /** Says that the deletion of this deployment is sent now: a run that is cancelled can't tell what came of it. */
  deleting(title: string): void {
    this.mayLeave(`The deletion of deployment ${title} may have taken effect.`);
  }

  /** Says that it took effect. */
  deleted(title: string): void {
    this.#sent({ deleted: [...this.#facts.deleted, title], unsettled: undefined });
  }

  /** Says that it is known what came of what was sent last. */
  settled(): void {
    this.#sent({ unsettled: undefined });
  }

  /** Says that what was sent surely had no effect. */
  notWritten(): void {
    this.#sent({ writtenAt: undefined });
  }

  #sent(news: Partial<Facts>): void {
    this.note(news);
    for (const reporter of this.#reporters) reporter.onWrite?.(this.#shown);
  }

  deployment(deployment: Deployment, created: boolean): void {
    this.#facts.deploymentId = deployment.id;
    this.#facts.name = deployment.name ?? this.#facts.name;
    this.#facts.url = deployment.url ?? this.#facts.url;
    this.#facts.created = created;
    for (const reporter of this.#reporters) reporter.onDeployment?.(this.#shown);
  }

  /** A deployment is known by its id alone. */
  identified(deploymentId: string): void {
    this.#facts.deploymentId = deploymentId;
    for (const reporter of this.#reporters) reporter.onDeployment?.(this.#shown);
  }

  /**
   * The write's answer named a revision: this run's, unless a look at it shows otherwise, which takes it back. Kept in
   * case the run ends now.
   */
  named(revisionId: string | undefined): void {
    this.#facts.revisionId = revisionId;
    for (const reporter of this.#reporters) reporter.onDeployment?.(this.#shown);
  }

  async revision(revisionId: string): Promise<void> {
    this.#facts.revisionId = revisionId;
    for (const reporter of this.#reporters) await reporter.onRevision?.(this.#shown);
  }

  /** Notes the status; the reporters hear of it only where it changed. */
  async status(status: string): Promise<void> {
    if (this.#facts.statuses.at(-1)?.status === status) return;
    this.#facts.statuses = [...this.#facts.statuses, { status, at: this.#context.clock.now() }];
    for (const reporter of this.#reporters) await reporter.onStatus?.(this.#shown);
  }

  /** @throws the first error of a reporter, once all of them were told. */
  async end(ending: Ending): Promise<void> {
    const failures: unknown[] = [];
    const shown = shownEnding(ending, this.#context.redact);
    for (const reporter of this.#reporters) reporter.onEnding?.(this.#shown, shown);
    for (const reporter of this.#reporters) {
      try {
        await reporter.onEnd?.(this.#shown, shown);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
