import { isSameCommit, isSameRepository } from "../platform/compare-source.ts";
import { code, input, type Message, text } from "../text/message.ts";
import type { Check } from "./check.ts";

/** The commit of a run, and what its revision was built from. */
export interface BuiltCommit {
  /** Of the run; empty if it has none. */
  readonly own: string;
  readonly ownUrl: string | undefined;
  /** The repository of the deployment, if the platform or the run names one. */
  readonly repoUrl: string | undefined;
  /** Undefined if the platform does not report it. */
  readonly built: string | undefined;
  /** Whether the revision deploys the run's own branch or tag. */
  readonly isOwnRef: boolean;
}

/** `verify_commit`: whether the platform built the run's commit (docs/specification.md#verify-commit). */
export function commitCheck(commit: BuiltCommit): Check {
  const { own } = commit;
  return {
    kind: "commit check",
    name: own === "" ? "verify_commit" : own,
    wakes: false,
    async perform() {
      const mismatch = findMismatch(commit);
      if (mismatch === undefined) return { passed: true, what: text`built from ${code(own)}` };
      return { passed: false, ...mismatch };
    },
  };
}

/** Why the platform did not build the run's commit, or may not have; undefined if it did. `what`: a part of a sentence. */
export function findMismatch({
  own,
  ownUrl,
  repoUrl,
  built,
  isOwnRef,
}: BuiltCommit): { what: Message; hint: Message } | undefined {
  const remove = text`Remove ${input("verify_commit")} if`;
  if (own === "" || ownUrl === undefined) {
    return {
      what: text`this run has no commit, so the one that was built can't be compared with it`,
      hint: text`${remove} a different repository is deployed.`,
    };
  }
  if (repoUrl !== undefined && !isSameRepository(repoUrl, ownUrl)) {
    return {
      what: text`the deployment is built from ${code(repoUrl, 200)}, so its commit can't be compared with this run's, ${code(own)}`,
      hint: text`${remove} a different repository is deployed.`,
    };
  }
  if (built === undefined) {
    return {
      what: text`the platform does not report which commit it built, so it may not be this run's, ${code(own)}`,
      hint: text`${remove} the platform reports no commit.`,
    };
  }
  if (isSameCommit(built, own)) return undefined;
  const what = text`the revision was built from commit ${code(built, 60)}, not from this run's ${code(own)}`;
  return isOwnRef
    ? {
        what: text`${what}. The branch or tag has probably moved`,
        hint: text`Run the workflow for the newer commit, or remove ${input("verify_commit")}.`,
      }
    : {
        what,
        hint: text`Deploy the run's own ref (leave ${input("repo_ref")} out), or remove ${input("verify_commit")}.`,
      };
}
