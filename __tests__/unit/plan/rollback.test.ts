import { describe, expect, test } from "@jest/globals";
import { knownRevisions } from "../../../src/deployment/attribution.ts";
import { planRollback, type RollbackPlan } from "../../../src/deployment/rollback-plan.ts";
import type { Deployment, Revision } from "../../../src/platform/deployment.ts";

function revision(id: string, status: string): Revision {
  return {
    id,
    status,
    createdAt: undefined,
    updatedAt: undefined,
    statusMessage: undefined,
    commitSha: undefined,
    source: undefined,
  };
}

const deployment: Deployment = {
  id: "deployment",
  name: "agent",
  status: undefined,
  createdAt: undefined,
  url: undefined,
  repoUrl: undefined,
  source: undefined,
  integrationId: undefined,
  deploymentType: undefined,
  latestRevisionId: undefined,
  activeRevisionId: undefined,
};

const earlier = [revision("before", "DEPLOYED"), revision("first", "DEPLOYED")];
const own = revision("own", "DEPLOY_FAILED");

interface Case {
  readonly live?: string | null | undefined;
  /** How it was known what was live before; undefined: it wasn't. */
  readonly liveBefore?: "shown" | "listed" | undefined;
  readonly wasDeployed?: boolean;
  readonly listed?: readonly Revision[];
}

function planned(given: Case): RollbackPlan {
  const { live, wasDeployed = false, listed = [own, ...earlier] } = given;
  const liveBefore =
    given.liveBefore === undefined ? undefined : { id: "before", shown: given.liveBefore === "shown" };
  const written = {
    deploymentId: "deployment",
    revisionId: "own",
    writtenAt: 0,
    before: knownRevisions(earlier, []),
    liveBefore,
  };
  return planRollback({
    written,
    wasDeployed,
    listed,
    deployment: { ...deployment, activeRevisionId: live },
  });
}

const redeploy: RollbackPlan = { kind: "redeploy", revisionId: "before" };

describe("what was live before is deployed again", () => {
  test.each<[string, Case]>([
    ["this run's own is live", { live: "own", liveBefore: "shown" }],
    [
      "this run's own is live, and what was before it is known from the list",
      { live: "own", liveBefore: "listed" },
    ],
    ["none is live", { live: null, liveBefore: "shown" }],
    ["this run's was deployed, and nothing more is shown", { liveBefore: "listed", wasDeployed: true }],
    [
      "this run's was deployed on a platform that always says null",
      { live: null, liveBefore: "listed", wasDeployed: true },
    ],
    [
      "what came after this run's has failed, too",
      { live: "own", liveBefore: "shown", listed: [revision("newer", "BUILD_FAILED"), own, ...earlier] },
    ],
    [
      "what came before this run's is still under way",
      { live: "own", liveBefore: "shown", listed: [own, revision("between", "QUEUED"), ...earlier] },
    ],
    ["the list doesn't show this run's", { live: "own", liveBefore: "shown", listed: earlier }],
  ])("where %s", (_what, given) => {
    expect(planned(given)).toEqual(redeploy);
  });
});

describe("nothing is rolled back", () => {
  const unknown =
    "Nothing was rolled back, because this control plane doesn't show which revision is live: after such an end it usually still is the one before, before.";
  const takenOver = (status: string) =>
    `Nothing was rolled back, because a newer revision takes over: newer is ${status}.`;

  test.each<[string, Case, string]>([
    [
      "nothing was live",
      { live: "own" },
      "No revision is known to have been live before, so there is nothing to roll back to.",
    ],
    [
      "it is still live",
      { live: "before", liveBefore: "shown" },
      "Nothing had to be rolled back: revision before, which was live before, still is.",
    ],
    [
      "another is live",
      { live: "theirs", liveBefore: "shown" },
      "Nothing was rolled back, because another revision is live by now: theirs.",
    ],
    ["it isn't shown which is live", { liveBefore: "listed" }, unknown],
    ["the platform always says null", { live: null, liveBefore: "listed" }, unknown],
    [
      "a newer one is under way",
      { live: "own", liveBefore: "shown", listed: [revision("newer", "QUEUED"), own, ...earlier] },
      takenOver("QUEUED"),
    ],
    [
      "a newer one is about to be live",
      { live: "own", liveBefore: "shown", listed: [revision("newer", "DEPLOYED"), own, ...earlier] },
      takenOver("DEPLOYED"),
    ],
    [
      "a newer one is under way, and the list doesn't show this run's",
      { live: "own", liveBefore: "shown", listed: [revision("newer", "BUILDING"), ...earlier] },
      takenOver("BUILDING"),
    ],
  ])("where %s", (_what, given, why) => {
    expect(planned(given)).toEqual({ kind: "leave", why });
  });
});
