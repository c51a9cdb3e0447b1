import { expect, test } from "@jest/globals";
import { revisionBaseline } from "../../../../src/deploy/apply/revision-history.ts";
import { decideRollback, type RollbackDecision } from "../../../../src/deploy/rollback/earlier-revision.ts";
import type { Revision } from "../../../../src/platform/deployment.ts";
import { deploymentOf, revisionOf } from "../../support/wire.ts";

const revision = (id: string, status: string) => revisionOf({ id, status });
const earlier = [revision("before", "DEPLOYED"), revision("first", "DEPLOYED")];
const own = revision("own", "DEPLOY_FAILED");

interface Case {
  readonly live?: string | null;
  /** How it is known what was live before. */
  readonly liveBefore?: "shown" | "listed";
  readonly wasDeployed?: boolean;
  readonly listed?: readonly Revision[];
}

function decide({ live, liveBefore, wasDeployed = false, ...given }: Case): RollbackDecision {
  const ownRevision = wasDeployed ? revision("own", "DEPLOYED") : own;
  const { listed = [ownRevision, ...earlier] } = given;
  const run = {
    deploymentId: "d",
    revisionId: "own",
    source: {},
    requestedAt: 0,
    baseline: revisionBaseline({ listed: earlier, isComplete: false }, {}),
    liveBefore: liveBefore && { id: "before", isActive: liveBefore === "shown" },
  };
  const deployment = deploymentOf({ active_revision_id: live });
  return decideRollback(run, wasDeployed, { deployment, listed });
}

test.each<[string, Case]>([
  ["this run's is live", { live: "own", liveBefore: "shown" }],
  ["this run's is live, and the list showed what was before", { live: "own", liveBefore: "listed" }],
  ["none is live", { live: null, liveBefore: "shown" }],
  ["this run's was deployed, and no live one is shown", { liveBefore: "listed", wasDeployed: true }],
  [
    "this run's was deployed on a platform that always shows null",
    { live: null, liveBefore: "listed", wasDeployed: true },
  ],
  [
    "a newer one failed too",
    { live: "own", liveBefore: "shown", listed: [revision("newer", "BUILD_FAILED"), own, ...earlier] },
  ],
  [
    "an older one is still running",
    { live: "own", liveBefore: "shown", listed: [own, revision("between", "QUEUED"), ...earlier] },
  ],
  ["the list does not show this run's", { live: "own", liveBefore: "shown", listed: earlier }],
])("the revision before is deployed again if %s", (_what, given) => {
  expect(decide(given)).toEqual({ kind: "redeploy", revisionId: "before" });
});

test.each<[string, Case, object]>([
  [
    "none was live before",
    { live: "own" },
    { kind: "no_earlier", live: { revisionId: "own", isOwn: true, isShown: true } },
  ],
  ["none was ever live", { listed: [own] }, { kind: "no_earlier", live: undefined }],
  [
    "none was live before, and the list does not show yet that this run's was deployed",
    { listed: [revision("own", "DEPLOYING")], wasDeployed: true },
    { kind: "no_earlier", live: { revisionId: "own", isOwn: true, isShown: false } },
  ],
  [
    "none was live before, and another run's is live",
    { live: "theirs" },
    { kind: "no_earlier", live: { revisionId: "theirs", isOwn: false, isShown: true } },
  ],
  [
    "the one before is still live",
    { live: "before", liveBefore: "shown" },
    { kind: "still_live", revisionId: "before" },
  ],
  ["another is live", { live: "theirs", liveBefore: "shown" }, { kind: "other_live", revisionId: "theirs" }],
  [
    "the platform does not show which is live",
    { liveBefore: "listed" },
    { kind: "live_unknown", previousId: "before" },
  ],
  [
    "the platform always shows null",
    { live: null, liveBefore: "listed" },
    { kind: "live_unknown", previousId: "before" },
  ],
  [
    "a newer one is still running",
    { live: "own", liveBefore: "shown", listed: [revision("newer", "QUEUED"), own, ...earlier] },
    { kind: "newer", revision: { id: "newer" } },
  ],
  [
    "a newer one is about to be live",
    { live: "own", liveBefore: "shown", listed: [revision("newer", "DEPLOYED"), own, ...earlier] },
    { kind: "newer", revision: { id: "newer" } },
  ],
  [
    "a newer one is still running, and the list does not show this run's",
    { live: "own", liveBefore: "shown", listed: [revision("newer", "BUILDING"), ...earlier] },
    { kind: "newer", revision: { id: "newer" } },
  ],
])("nothing is rolled back if %s", (_what, given, reason) => {
  expect(decide(given)).toMatchObject({ kind: "left", reason });
});
