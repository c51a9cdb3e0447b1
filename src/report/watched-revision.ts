import type { Clock } from "../clock.ts";
import type { Revision } from "../platform/deployment.ts";
import { code, type Message, text } from "../text/message.ts";
import type { CheckNotRun, CheckResult } from "./check-result.ts";
import type { MessageLog } from "./message-log.ts";
import { logCheck } from "./sections/checks.ts";
import type { RevisionPhase, RevisionState, RunState } from "./state.ts";

/** The parts of the report that this one uses. */
interface RunReport extends MessageLog {
  readonly state: Readonly<RunState>;
  set(found: Partial<RunState>): void;
  timed(message: Message): void;
}

/** Reports the revision that is watched and checked: this run's, and once a rollback begins the one that it makes. */
export class WatchedRevision {
  readonly #report: RunReport;
  readonly #clock: Clock;

  constructor(report: RunReport, clock: Clock) {
    this.#report = report;
    this.#clock = clock;
  }

  get #state(): RevisionState {
    const { revision, rollback } = this.#report.state;
    return rollback ?? revision;
  }

  #set(found: Partial<RevisionState>): void {
    const changed = { ...this.#state, ...found };
    this.#report.set(
      this.#report.state.rollback === undefined ? { revision: changed } : { rollback: changed },
    );
  }

  /** The revision was made. */
  started(id: string): void {
    this.#set({ id, phase: "running" });
  }

  /** What a poll returned. A new status is logged. */
  polled({ status, commitSha }: Revision): void {
    const { statuses, phase } = this.#state;
    const isNew = statuses.at(-1)?.status.raw !== status.raw;
    this.#set({
      commitSha,
      statuses: isNew ? [...statuses, { status, at: this.#clock.now() }] : statuses,
      // After its checks, the revision is read again. That changes no phase.
      ...(phase === "running" &&
        status.kind !== "pending" && { phase: status.kind === "deployed" ? "deployed" : "ended" }),
    });
    if (!isNew) return;
    const { raw, isKnown } = status;
    if (!isKnown && !statuses.some((earlier) => earlier.status.raw === raw)) {
      this.#report.info(text`Unknown status ${code(raw)}; treating it as in progress.`);
    }
    this.#report.timed(text`${this.#report.state.rollback && text`Rollback: `}${code(raw)}`);
  }

  setPhase(phase: RevisionPhase): void {
    this.#set({ phase });
  }

  /** The revision turned out not to be this run's. */
  forget(): void {
    this.#set({ id: undefined, phase: "ended", commitSha: undefined, statuses: [] });
  }

  /** The version of the agent server that serves the revision. */
  setServerVersion(serverVersion: string | undefined): void {
    this.#set({ serverVersion });
  }

  addCheck(result: CheckResult): void {
    logCheck(result, this.#report);
    this.#set({ checks: [...this.#state.checks, result] });
  }

  addCheckNotRun(check: CheckNotRun): void {
    this.#set({ checksNotRun: [...this.#state.checksNotRun, check] });
  }
}
