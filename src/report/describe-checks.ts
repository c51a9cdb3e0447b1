import type { CheckResult, WatchResultOf } from "../results/watch.ts";
import { code, id, type Message, text } from "../text/message.ts";
import { checkSentence } from "./check-messages.ts";
import { describeFinding } from "./describe-finding.ts";
import { supersededHint } from "./describe-watch.ts";
import type { RunResult } from "./result.ts";

/** A newer revision is live, which would be checked instead. */
export function describeNotChecked({ revision, liveRevisionId }: WatchResultOf<"replaced">): RunResult {
  return {
    outcome: "superseded",
    message: text`Revision ${id(revision.id)} was deployed, but not checked: the newer revision ${id(liveRevisionId)} is live now.`,
    hint: supersededHint,
  };
}

/** What is said of checks that passed: a sentence for each, and one for all smoke tests. */
export function describePassed(checks: readonly CheckResult[]): Message[] {
  const others = checks.filter(({ kind }) => kind !== "smoke test");
  const count = checks.length - others.length;
  const all = count === 1 ? text`The smoke test passed.` : text`All ${count} smoke tests passed.`;
  return [...others.map(checkSentence), ...(count === 0 ? [] : [all])];
}

const reasons: Readonly<Record<CheckResult["kind"], Message>> = {
  "health check": text`not healthy`,
  "serving check": text`was not seen to respond`,
  "smoke test": text`failed a smoke test`,
  comparison: text`does not keep what others rely on`,
};

/** At least one check failed. */
export function describeFailedChecks(revisionId: string, checks: readonly CheckResult[]): RunResult {
  const failed = checks.filter(({ passed }) => !passed);
  const [first] = failed;
  const isSuperseded = first?.finding.kind === "superseded";
  // Only smoke tests can fail in numbers: other checks stop at the first failure.
  const count = checks.filter(({ kind }) => kind === "smoke test").length;
  return {
    outcome: isSuperseded ? "superseded" : "failed",
    failure: first === undefined || isSuperseded ? undefined : text`${code(first.kind)} failed`,
    message: text`Revision ${id(revisionId)} is ${code("DEPLOYED")}, but ${first && reasons[first.kind]}.`,
    ...(failed.length > 1
      ? {
          details: [text`${failed.length} of ${count} smoke tests failed.`],
          problems: failed.map(checkSentence),
        }
      : { details: failed.map(checkSentence) }),
    hint: isSuperseded ? supersededHint : first && describeFinding(first).hint,
  };
}
