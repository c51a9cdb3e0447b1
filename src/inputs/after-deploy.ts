import type { InputReader } from "./reader.ts";

/** What is to be done after the revision has ended; without these inputs nothing is. */
export interface AfterDeploy {
  /** A revision that was built from another commit than this run's is a failure. */
  readonly verifyCommit: boolean;
}

/** Reads them; problems stay in the reader. */
export function readAfterDeploy(reader: InputReader): AfterDeploy {
  return { verifyCommit: reader.boolean("verify_commit") ?? false };
}
