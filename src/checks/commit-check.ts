import type { CheckResult } from "../state/check-result.ts";
import { code, inputName, type Phrase, phrase, text } from "../text/message.ts";
import { equalsIgnoringCase } from "../text/strings.ts";

/** Returns the result of `verify_commit`: whether the platform built the run's commit (docs/specification.md#verify-commit). */
export function commitCheck(runCommit: string, builtCommit: string | undefined): CheckResult {
  const check = { kind: "commit check", name: runCommit, durationMs: 0 } as const;
  const description = commitProblem(runCommit, builtCommit);
  if (description === undefined) {
    return { ...check, verdict: "passed", description: phrase`built from ${code(runCommit)}` };
  }
  const hint =
    builtCommit === undefined
      ? text`Remove ${inputName("verify_commit")} if the platform reports no commit.`
      : text`If the branch has moved, run the workflow for its newer commit. If another ref is deployed, leave out ${inputName("repo_ref")} or remove ${inputName("verify_commit")}.`;
  return { ...check, verdict: "failed", description, hint };
}

/** Returns why the platform may not have built the run's commit; undefined if it did. */
export function commitProblem(runCommit: string, builtCommit: string | undefined): Phrase | undefined {
  if (builtCommit === undefined) {
    return phrase`the platform does not report which commit it built, so it may not be this run's, ${code(runCommit)}`;
  }
  return equalsIgnoringCase(builtCommit, runCommit)
    ? undefined
    : phrase`the revision was built from commit ${code(builtCommit, 60)}, not from this run's ${code(runCommit)}`;
}
