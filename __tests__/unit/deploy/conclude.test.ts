import { describe, expect, test } from "@jest/globals";
import type { CheckResult } from "../../../src/checks/check.ts";
import { conclude, type Findings, mayRollBack } from "../../../src/deploy/conclude.ts";
import type { CheckInputs } from "../../../src/inputs/checks.ts";
import type { DeployResult } from "../../../src/results/deploy.ts";
import type { WatchResult } from "../../../src/results/watch.ts";
import { text } from "../../../src/text/message.ts";
import { revisionOf } from "../support/wire.ts";

const withStatus = (status: string) => revisionOf({ id: "r-1", status });
const deployed = withStatus("DEPLOYED");
const pending = withStatus("BUILDING");

const live: WatchResult = { kind: "live", revision: deployed, url: undefined, repoUrl: undefined };
const replaced: WatchResult = {
  kind: "replaced",
  revision: deployed,
  liveRevisionId: "r-2",
  repoUrl: undefined,
};
const ended = (status: string): WatchResult => ({ kind: "ended", revision: withStatus(status) });

const passed: CheckResult = {
  kind: "health check",
  name: "/ok",
  passed: true,
  durationMs: 1,
  message: text`It passed.`,
};
const failed: CheckResult = { ...passed, passed: false };
const wrongCommit: CheckResult = { ...failed, kind: "commit check" };

const noChecks: CheckInputs = {
  healthPath: undefined,
  serving: "auto",
  smokeTests: [],
  compare: undefined,
  timeoutMs: 1,
  headers: {},
  allowHttp: false,
};

interface Given extends Partial<Findings> {
  readonly checkInputs?: Partial<CheckInputs>;
}

function concluded({ checkInputs = {}, ...findings }: Given): DeployResult {
  const options = { checks: { ...noChecks, ...checkInputs } };
  return conclude(options, { watched: live, checks: { results: [] }, ...findings });
}

const wasReplaced = { kind: "replaced", liveRevisionId: "r-2" } as const;
const isDeleted = { kind: "being_deleted", deploymentId: "d-1" } as const;
const isNotLive = { kind: "not_live", live: { kind: "older", id: "r-0" }, waitedMs: 1 } as const;

describe("a revision that", () => {
  test.each<[string, Given, DeployResult["kind"], boolean]>([
    ["is live counts as deployed", {}, "deployed", false],
    ["passed its checks counts as deployed", { checks: { results: [passed] } }, "deployed", false],
    ["failed a check", { checks: { results: [passed, failed] } }, "check_failed", true],
    [
      "was replaced while it passed its checks",
      { checks: { results: [passed], afterwards: wasReplaced } },
      "replaced_during_checks",
      false,
    ],
    [
      "was replaced while it failed a check, which may have asked the newer one",
      { checks: { results: [failed], afterwards: wasReplaced } },
      "replaced_during_checks",
      false,
    ],
    [
      "is deleted with its deployment during its checks",
      { checks: { results: [failed], afterwards: isDeleted } },
      "deleted_during_checks",
      true,
    ],
    [
      "is no longer live after it passed its checks",
      { checks: { results: [passed], afterwards: isNotLive } },
      "not_deployed",
      true,
    ],
    ["was replaced counts as deployed if no check was asked for", { watched: replaced }, "deployed", false],
    [
      "was replaced before its health check",
      { watched: replaced, checkInputs: { healthPath: "/ok" } },
      "not_checked",
      false,
    ],
    [
      "was replaced before a serving check that was asked for",
      { watched: replaced, checkInputs: { serving: "require" } },
      "not_checked",
      false,
    ],
    [
      "holds another commit, with verify_commit",
      { checks: { results: [passed, wrongCommit] } },
      "check_failed",
      false,
    ],
    ["failed", { watched: ended("BUILD_FAILED") }, "not_deployed", true],
    ["was interrupted", { watched: ended("INTERRUPTED") }, "not_deployed", true],
    ["was skipped for a newer one", { watched: ended("SKIPPED") }, "not_deployed", false],
    [
      "existed before this run",
      { watched: { kind: "existed_before", revision: deployed } },
      "not_deployed",
      true,
    ],
    [
      "deploys another source",
      { watched: { kind: "other_source", revision: deployed } },
      "not_deployed",
      true,
    ],
    [
      "did not become live",
      {
        watched: { kind: "not_live", revision: deployed, live: { kind: "older", id: "r-0" }, waitedMs: 1 },
      },
      "not_deployed",
      true,
    ],
    [
      "may not be this run's, while another that may be failed",
      {
        watched: {
          kind: "not_live",
          revision: deployed,
          live: { kind: "undecided", id: "r-2", status: withStatus("BUILD_FAILED").status },
          waitedMs: 1,
        },
      },
      "not_deployed",
      false,
    ],
    [
      "is deployed while its deployment is deleted",
      { watched: { kind: "being_deleted", revision: deployed, deploymentId: "d-1" } },
      "not_deployed",
      true,
    ],
    [
      "was overtaken by a newer one",
      { watched: { kind: "overtaken", revision: pending, liveRevisionId: "r-2", waitedMs: 1 } },
      "not_deployed",
      false,
    ],
    [
      "took too long",
      {
        watched: {
          kind: "timed_out",
          revisionId: "r-1",
          revision: pending,
          failure: undefined,
          waitedMs: 1,
        },
      },
      "not_deployed",
      false,
    ],
  ])(
    "a deploy whose revision %s ends with the result for that, and is rolled back only if it may be",
    (_what, given, kind, isRolledBack) => {
      const result = concluded(given);

      expect(result.kind).toBe(kind);
      expect(mayRollBack(result)).toBe(isRolledBack);
    },
  );
});
