import { Failure, type Place } from "../errors.ts";
import { checkKinds, type FailedCheck } from "../report/check-result.ts";
import { joined, listFirst, type Phrase, phrase, quote, text } from "../text/message.ts";

/** An agent did not pass its checks. */
export class CheckError extends Failure {
  override readonly name = "CheckError";
  /** Whether a check failed after which a rollback helps. */
  readonly allowsRollback: boolean;

  /** `subject`: the start of the sentence, such as "The agent". `total`: the number of all checks that were run. */
  constructor(
    subject: Phrase,
    [first, ...others]: readonly [FailedCheck, ...FailedCheck[]],
    total: number,
    place?: Place,
  ) {
    const also = listFirst(others.map(({ name }) => quote(name, 100)));
    const message = joined([
      others.length === 0
        ? text`${subject} did not pass its checks.`
        : text`${subject} failed ${1 + others.length} of ${total} checks.`,
      first.message,
      others.length === 0 ? undefined : text`Also failed: ${also}.`,
    ]);
    super(message, { headline: phrase`${checkKinds[first.kind].label} failed`, hint: first.hint, place });
    this.allowsRollback = [first, ...others].some(({ kind }) => checkKinds[kind].allowsRollback);
  }
}
