import assert from "node:assert/strict";
import type { Clock } from "../clock.ts";
import type { Revision } from "../platform/deployment.ts";
import type { RevisionId } from "../platform/ids.ts";
import { code, text } from "../text/message.ts";
import type { CheckNotRun, CheckResult } from "./check-result.ts";
import type { Report } from "./report.ts";
import { logCheck } from "./sections/checks.ts";
import { type RevisionState, unknownRevision } from "./state.ts";

/** Reports a revision that is watched and checked: this run's, or the one that a rollback after a failed check makes. */
export class RevisionReport {
  readonly #part: "revision" | "rollback";
  readonly #report: Report;
  readonly #clock: Clock;

  /** `part`: the part of the state that describes it. */
  constructor(
    part: "revision" | "rollback",
    { report, clock }: { readonly report: Report; readonly clock: Clock },
  ) {
    this.#part = part;
    this.#report = report;
    this.#clock = clock;
  }

  get #state(): RevisionState {
    const { revision, rollback } = this.#report.state;
    return this.#part === "revision" ? revision : (rollback?.revision ?? unknownRevision);
  }

  #set(changes: Partial<RevisionState>): void {
    const revision = { ...this.#state, ...changes };
    const { rollback } = this.#report.state;
    if (this.#part === "revision") {
      this.#report.set({ revision });
    } else {
      // It is set when the rollback begins.
      assert(rollback);
      this.#report.set({ rollback: { ...rollback, revision } });
    }
  }

  setId(id: RevisionId): void {
    this.#set({ id });
  }

  /** Keeps the result of a poll, and logs a new status. A poll may show no commit, although an earlier one did. */
  addPoll({ status, content }: Revision): void {
    const { statuses, commitSha } = this.#state;
    const isNew = statuses.at(-1)?.status.raw !== status.raw;
    this.#set({
      commitSha: content?.commitSha ?? commitSha,
      statuses: isNew ? [...statuses, { status, at: this.#clock.now() }] : statuses,
    });
    if (!isNew) return;
    const { raw, isKnown } = status;
    if (!isKnown && !statuses.some((earlier) => earlier.status.raw === raw)) {
      this.#report.info(text`Unknown status ${code(raw)}; treating it as in progress.`);
    }
    const subject = this.#part === "rollback" ? text`Rollback: ` : undefined;
    this.#report.infoWithTime(text`${subject}${code(raw)}`);
  }

  /** Keeps a revision that was live before this run, and logs nothing. */
  setUnchanged({ id, status, content }: Revision): void {
    this.#set({ id, commitSha: content?.commitSha, statuses: [{ status, at: this.#clock.now() }] });
  }

  /** Removes a revision that turned out not to be this run's. */
  forget(): void {
    this.#set({ id: undefined, commitSha: undefined, statuses: [] });
  }

  /** Keeps that it was still live after its checks. */
  setConfirmed(): void {
    this.#set({ wasConfirmed: true });
  }

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
