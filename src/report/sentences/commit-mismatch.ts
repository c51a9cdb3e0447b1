import type { CommitMismatch } from "../../results/deploy.ts";
import { code, input, type Message, text } from "../../text/message.ts";

/** What `verify_commit` found, in a few words. */
export function mismatchLabel({ kind }: CommitMismatch): Message {
  return kind === "other_commit" ? text`wrong commit` : text`commit not verified`;
}

/** Why the revision does not hold this run's commit, or may not hold it, and what to do. */
export function describeMismatch(mismatch: CommitMismatch): {
  readonly message: Message;
  readonly hint: Message;
} {
  const remove = text`Remove ${input("verify_commit")} if`;
  switch (mismatch.kind) {
    case "no_own_commit":
      return {
        message: text`This run has no commit, so the one that was built can't be compared with it.`,
        hint: text`${remove} a different repository is deployed.`,
      };
    case "other_repository":
      return {
        message: text`The deployment is built from ${code(mismatch.repoUrl, 200)}, so its commit can't be compared with this run's, ${code(mismatch.own)}.`,
        hint: text`${remove} a different repository is deployed.`,
      };
    case "not_shown":
      return {
        message: text`The platform does not report which commit it built, so it may not be this run's, ${code(mismatch.own)}.`,
        hint: text`${remove} the platform reports no commit.`,
      };
    case "other_commit": {
      const message = text`The revision was built from commit ${code(mismatch.built, 60)}, not from this run's ${code(mismatch.own)}.`;
      return mismatch.isOwnRef
        ? {
            message: text`${message} The branch or tag has probably moved.`,
            hint: text`Run the workflow for the newer commit, or remove ${input("verify_commit")}.`,
          }
        : {
            message,
            hint: text`Deploy the run's own ref (leave ${input("repo_ref")} out), or remove ${input("verify_commit")}.`,
          };
    }
  }
}
