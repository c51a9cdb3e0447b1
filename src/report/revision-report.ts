import type { Clock } from "../clock.ts";
import type { Revision } from "../platform/revision.ts";
import { code, type Message, text } from "../text/message.ts";
import type { CheckResult } from "./check-result.ts";
import type { Report } from "./report.ts";
import { logCheck, rollbackSubject, smokeTestsOutput } from "./sections/checks.ts";
import { type RevisionState, unknownRevision } from "./state.ts";

/** Reports a revision that is watched and checked: this run's, or the one that a rollback after a failed check makes. */
export class RevisionReport {
  readonly #part: "revision" | "rollbackRevision";
  readonly #report: Report;
  readonly #clock: Clock;

  /** `part`: the part of the run's state that describes it. */
  constructor(
    part: "revision" | "rollbackRevision",
    { report, clock }: { readonly report: Report; readonly clock: Clock },
  ) {
    this.#part = part;
    this.#report = report;
    this.#clock = clock;
  }

  get #state(): RevisionState {
    return this.#report.state[this.#part] ?? unknownRevision;
  }

  set(changes: Partial<RevisionState>): void {
    this.#report.set({ [this.#part]: { ...this.#state, ...changes } });
  }

  /** What the lines of a rollback begin with. */
  get #subject(): Message | undefined {
    return this.#part === "rollbackRevision" ? rollbackSubject : undefined;
  }

  /** Keeps the result of a poll, and logs a new status. A poll may show no commit, although an earlier one did. */
  addPoll({ status, content }: Revision): void {
    const { statuses, commitSha } = this.#state;
    const isNew = statuses.at(-1)?.status.raw !== status.raw;
    this.set({
      commitSha: content?.commitSha ?? commitSha,
      statuses: isNew ? [...statuses, { status, at: this.#clock.now() }] : statuses,
    });
    if (!isNew) return;
    const { raw, isKnown } = status;
    if (!isKnown && !statuses.some((earlier) => earlier.status.raw === raw)) {
      this.#report.info(text`Unknown status ${code(raw)}; treating it as in progress.`);
    }
    this.#report.infoWithTime(text`${this.#subject}${code(raw)}`);
  }

  addCheck(check: CheckResult): void {
    logCheck(check, this.#subject, this.#report);
    const checks = [...this.#state.checks, check];
    this.set({ checks });
    const smokeTests = smokeTestsOutput(checks, this.#report.render);
    if (smokeTests !== undefined) this.#report.addOutputs({ smoke_tests: smokeTests });
  }
}
