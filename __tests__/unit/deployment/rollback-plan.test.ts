import { expect, test } from "@jest/globals";
import { knownRevisions } from "../../../src/deploy/apply/match-revision.ts";
import { planRollback, type RollbackPlan } from "../../../src/deploy/rollback/rollback-plan.ts";
import type { Revision } from "../../../src/platform/deployment.ts";
import { deploymentOf, revisionOf } from "../support/wire.ts";

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

function planOf({ live, liveBefore, wasDeployed = false, ...given }: Case): RollbackPlan {
  const ownRevision = wasDeployed ? revision("own", "DEPLOYED") : own;
  const { listed = [ownRevision, ...earlier] } = given;
  const applied = {
    deploymentId: "d",
    revisionId: "own",
    source: {},
    writtenAt: 0,
    before: knownRevisions({ listed: earlier, isComplete: false }, {}),
    liveBefore: liveBefore && { id: "before", isActive: liveBefore === "shown" },
  };
  return planRollback({
    applied,
    wasDeployed,
    listed,
    deployment: deploymentOf({ active_revision_id: live }),
  });
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
  expect(planOf(given)).toEqual({ kind: "redeploy", revisionId: "before" });
});

const unknown = /^Nothing was rolled back.* does not show which revision is live\..* before\.$/;

test.each<[string, Case, RegExp]>([
  ["none was live before", { live: "own" }, /^No earlier live revision is known/],
  [
    "the one before is still live",
    { live: "before", liveBefore: "shown" },
    /^No rollback was needed: revision before is still live\.$/,
  ],
  [
    "another is live",
    { live: "theirs", liveBefore: "shown" },
    /^Nothing was rolled back, because another revision is live: theirs\.$/,
  ],
  ["the platform does not show which is live", { liveBefore: "listed" }, unknown],
  ["the platform always shows null", { live: null, liveBefore: "listed" }, unknown],
  [
    "a newer one is still running",
    { live: "own", liveBefore: "shown", listed: [revision("newer", "QUEUED"), own, ...earlier] },
    /^Nothing was rolled back, because the newer revision newer is QUEUED\.$/,
  ],
  [
    "a newer one is about to be live",
    { live: "own", liveBefore: "shown", listed: [revision("newer", "DEPLOYED"), own, ...earlier] },
    /newer revision newer is DEPLOYED\.$/,
  ],
  [
    "a newer one is still running, and the list does not show this run's",
    { live: "own", liveBefore: "shown", listed: [revision("newer", "BUILDING"), ...earlier] },
    /newer revision newer is BUILDING\.$/,
  ],
])("nothing is rolled back if %s", (_what, given, why) => {
  expect(planOf(given)).toEqual({ kind: "leave", why: expect.stringMatching(why) });
});
