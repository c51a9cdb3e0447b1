import { Failure, type Place } from "../errors.ts";
import { type CheckResult, kindLabels } from "../report/check-result.ts";
import { joined, listFirst, type Message, phrase, quote, text } from "../text/message.ts";

/** An agent did not pass its checks. */
export class CheckError extends Failure {
  override readonly name = "CheckError";
  /** False if only its commit is wrong, and the agent itself is fine. */
  readonly allowsRollback: boolean;

  /** `subject`: the start of the sentence, such as "The agent". */
  constructor(subject: Message, results: readonly CheckResult[], place?: Place) {
    const failed = results.filter(({ verdict }) => verdict === "failed");
    const [first, ...others] = failed;
    const also = listFirst(others.map(({ name }) => quote(name, 100)));
    const message = joined([
      others.length === 0
        ? text`${subject} did not pass its checks.`
        : text`${subject} failed ${failed.length} of ${results.length} checks.`,
      first?.message,
      others.length === 0 ? undefined : text`Also failed: ${also}.`,
    ]);
    const hint = first?.hint ?? text`Check the agent at the deployment's URL.`;
    super(message, { headline: first && phrase`${kindLabels[first.kind]} failed`, hint, place });
    this.allowsRollback = failed.some(({ kind }) => kind !== "commit check");
  }
}
