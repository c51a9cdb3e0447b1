import type { Deployment } from "../control-plane/deployment.ts";
import type { LogType } from "../control-plane/revision-log.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "./ending.ts";
import { shownEnding, shownFacts } from "./shown.ts";

/** A status and when it was first seen, in milliseconds since the epoch. */
export interface SeenStatus {
  readonly status: string;
  readonly at: number;
}

/** The end of the log of a build or deploy that failed. */
export interface FailureLog {
  readonly type: LogType;
  /** Freed of secrets, inert and cut; the oldest first. */
  readonly lines: readonly string[];
}

/** What is known of this run's deployment; grows as it goes. */
export interface Facts {
  readonly startedAt: number;
  /** What the user calls the deployment: its name, or its id where none is known. */
  title: string;
  deploymentId: string | undefined;
  name: string | undefined;
  created: boolean;
  url: string | undefined;
  revisionId: string | undefined;
  /** The commit that the platform says it built. */
  commitSha: string | undefined;
  /** What is deployed: a ref or an image. */
  source: string | undefined;
  /** When the create or update was sent; milliseconds since the epoch. */
  writtenAt: number | undefined;
  readonly statuses: SeenStatus[];
  /** Why the revision's status is what it is, where the platform says so. */
  statusMessage: string | undefined;
  /** How long a revision of this deployment usually takes until it is `DEPLOYED`, where that is known; milliseconds. */
  usualMs: number | undefined;
  /** What the platform logged last of a build or deploy that failed. */
  failureLog: FailureLog | undefined;
  /** What goes on once the revision has ended, such as "still rolling back", for the signs of life. */
  stage: string | undefined;
  /** The earlier revision that was deployed again after this run's had ended badly. */
  rolledBackTo: string | undefined;
  /** What a dry run would send, as JSON without secrets. */
  request: string | undefined;
  /** What a run that is cancelled now may leave behind, as a sentence, where that isn't a revision. */
  unsettled: string | undefined;
  /** The deployments that this run deleted, by what the user calls them. */
  readonly deleted: string[];
}

/**
 * Someone who is told how the run goes: the log, the outputs, the summary, GitHub's record, the comment. What the
 * platform says comes without the run's secrets, should it quote them.
 */
export interface Reporter {
  /** The run has begun. */
  onStart?(facts: Readonly<Facts>): void;
  /** The deployment is known: found, or just made. */
  onDeployment?(facts: Readonly<Facts>): void;
  /** This run's revision is known. */
  onRevision?(facts: Readonly<Facts>): Promise<void> | void;
  /** Its status changed. */
  onStatus?(facts: Readonly<Facts>): Promise<void> | void;
  onEnd?(facts: Readonly<Facts>, ending: Ending): Promise<void> | void;
}

/** Keeps the facts of a run and passes what happens on to the reporters, one after the other. */
export class Progress {
  readonly facts: Facts;
  /** What is done after a cancel before that is reported, and what came of it, as a sentence (`on_cancel`). */
  lastAct: (() => Promise<string>) | undefined;
  readonly #shown: Readonly<Facts>;
  readonly #reporters: Reporter[] = [];
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.facts = {
      startedAt: ports.clock.now(),
      title: "",
      deploymentId: undefined,
      name: undefined,
      created: false,
      url: undefined,
      revisionId: undefined,
      commitSha: undefined,
      source: undefined,
      writtenAt: undefined,
      statuses: [],
      statusMessage: undefined,
      usualMs: undefined,
      failureLog: undefined,
      stage: undefined,
      rolledBackTo: undefined,
      request: undefined,
      unsettled: undefined,
      deleted: [],
    };
    this.#shown = shownFacts(this.facts, ports.redact);
  }

  tell(...reporters: Reporter[]): void {
    this.#reporters.push(...reporters);
    for (const reporter of reporters) reporter.onStart?.(this.#shown);
  }

  /** Whether anyone hears how it ends. */
  get isTold(): boolean {
    return this.#reporters.length > 0;
  }

  /** Says that the write is sent now: from this moment (milliseconds since the epoch) the run's time counts. */
  writing(): number {
    this.facts.writtenAt = this.#ports.clock.now();
    return this.facts.writtenAt;
  }

  /** Says that the deletion of this deployment is sent now: a run that is cancelled can't tell what came of it. */
  deleting(title: string): void {
    this.facts.unsettled = `The deletion of deployment ${title} may have taken effect.`;
  }

  /** Says that it took effect. */
  deleted(title: string): void {
    this.facts.deleted.push(title);
    this.settled();
  }

  /** Says that it is known what came of what was sent last. */
  settled(): void {
    this.facts.unsettled = undefined;
  }

  /** Says that what was sent surely had no effect. */
  notWritten(): void {
    this.facts.writtenAt = undefined;
  }

  deployment(deployment: Deployment, created: boolean): void {
    this.facts.deploymentId = deployment.id;
    this.facts.name = deployment.name ?? this.facts.name;
    this.facts.url = deployment.url ?? this.facts.url;
    this.facts.created = created;
    for (const reporter of this.#reporters) reporter.onDeployment?.(this.#shown);
  }

  /** A deployment is known by its id alone. */
  identified(deploymentId: string): void {
    this.facts.deploymentId = deploymentId;
    for (const reporter of this.#reporters) reporter.onDeployment?.(this.#shown);
  }

  /** The write's answer named a revision: this run's, unless a look at it shows otherwise. Kept in case the run ends now. */
  named(revisionId: string): void {
    this.facts.revisionId = revisionId;
    for (const reporter of this.#reporters) reporter.onDeployment?.(this.#shown);
  }

  async revision(revisionId: string): Promise<void> {
    this.facts.revisionId = revisionId;
    for (const reporter of this.#reporters) await reporter.onRevision?.(this.#shown);
  }

  /** Notes the status; the reporters hear of it only where it changed. */
  async status(status: string): Promise<void> {
    if (this.facts.statuses.at(-1)?.status === status) return;
    this.facts.statuses.push({ status, at: this.#ports.clock.now() });
    for (const reporter of this.#reporters) await reporter.onStatus?.(this.#shown);
  }

  /** @throws the first error of a reporter, once all of them were told. */
  async end(ending: Ending): Promise<void> {
    const failures: unknown[] = [];
    const shown = shownEnding(ending, this.#ports.redact);
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
