import { describe, expect, test } from "@jest/globals";
import { identifyRevision, type RevisionToIdentify } from "../../../../src/deploy/apply/identify-revision.ts";
import { deploysSource } from "../../../../src/deploy/apply/match-revision.ts";
import { revisionBaseline } from "../../../../src/deploy/apply/revision-history.ts";
import { Failure } from "../../../../src/errors.ts";
import type { Revision } from "../../../../src/platform/deployment.ts";
import { text } from "../../../../src/text/message.ts";
import { messageMatching } from "../../../support/message-matching.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { revisionOf } from "../../support/wire.ts";
import { type Script, scriptedPlatform } from "../support/scripted-platform.ts";

const deploys = (id: string, ref?: string, time?: string) => ({
  id,
  status: "QUEUED",
  ...(ref !== undefined && { source_revision_config: { repo_ref: ref } }),
  ...(time !== undefined && { created_at: `2026-03-02T${time}:00Z` }),
});
/** The revision `old` existed before, created at this time. */
const knownAt = (time?: string) =>
  revisionBaseline({ listed: [revisionOf(deploys("old", "main", time))], isComplete: false }, {});
const listing =
  (...resources: object[]): Script =>
  () => ({ resources });
const unconfirmed = {
  what: text`the update of agent`,
  remains: text`A revision may still appear.`,
  cause: new Failure(text`The connection broke.`, { hint: text`` }),
  isProof: (revision: Revision) => deploysSource(revision, { repoRef: "main" }) === true,
};

interface Identifying extends Partial<RevisionToIdentify> {
  /** What the list shows. */
  readonly list?: Script;
  /** What the revision that the response named shows. */
  readonly named?: Script;
}

/** Identifies the revision of an update of `agent` to `main`. */
async function identified({ list, named, ...parts }: Identifying) {
  const context = recordingContext({});
  const scripts = { "/revisions": list, "/revisions/named": named };
  const { requests, ...platform } = await scriptedPlatform(scripts, context);
  const wanted: RevisionToIdentify = {
    deploymentId: "agent",
    created: false,
    namedId: undefined,
    baseline: knownAt(),
    source: { repoRef: "main" },
    ...parts,
  };
  const result = await identifyRevision({ ...context, ...platform }, wanted).catch((error: unknown) => error);
  const { lines } = context.recorded;
  return {
    result,
    requests,
    warnings: lines.filter(({ kind }) => kind === "warning").map((line) => line.text),
  };
}

describe("the revision that the response named", () => {
  test.each<[string, Script]>([
    ["deploys what was sent", () => deploys("named", "main")],
    ["does not show what it deploys", () => deploys("named")],
    ["can't be read", () => ({ code: 503 })],
  ])("is this run's if it %s", async (_what, named) => {
    const { result, ...requested } = await identified({ namedId: "named", named });

    expect(result).toMatchObject({ revisionId: "named", isAmbiguous: false });
    expect(requested).toEqual({
      requests: { "/revisions/named": [0] },
      warnings: [],
    });
  });

  const old = {
    namedId: "named",
    baseline: knownAt("08:30"),
    named: () => deploys("named", "main", "08:00"),
  };

  test("is passed over with a warning if it is older than the oldest known one", async () => {
    const { result, warnings } = await identified({ ...old, list: listing(deploys("new", "main")) });

    expect(result).toEqual({
      revisionId: "new",
      isAmbiguous: false,
      snapshot: expect.objectContaining({ id: "new" }),
    });
    expect(warnings).toEqual([
      expect.stringMatching(/named revision named, but that one existed before the run\./),
    ]);
  });

  test("is not used if it is older than the oldest known one, even if no other appears", async () => {
    expect((await identified({ ...old, list: listing() })).result).toMatchObject({});
  });
});

describe("without a named revision, the list is polled", () => {
  test("also after failures that may pass, but not after a refusal", async () => {
    const list: Script = (seconds) => (seconds < 3 ? { code: 500 } : { resources: [deploys("new", "main")] });

    expect((await identified({ list })).result).toMatchObject({ revisionId: "new" });
    expect((await identified({ list: () => ({ code: 403 }) })).result).toMatchObject({ status: 403 });
  });

  test("and the oldest of several that do not show their source is used, with a warning", async () => {
    const { result, warnings } = await identified({
      baseline: knownAt("07:00"),
      list: listing(deploys("b", undefined, "08:01"), deploys("a", undefined, "08:00")),
    });

    expect(result).toEqual({
      revisionId: "a",
      isAmbiguous: true,
      snapshot: expect.objectContaining({ id: "a" }),
    });
    expect(warnings).toEqual([expect.stringMatching(/Several new revisions.* a\. .*DEPLOYED\.$/)]);
  });

  test.each([
    [true, /created deployment agent.* 60 s\.$/, /left behind/],
    [false, /accepted the update of deployment agent.* 60 s\.$/, /revisions.*nothing to deploy/],
  ])(
    "and none after a minute is an error that names the deployment; created: %p",
    async (created, message, hint) => {
      const { result } = await identified({ created, list: listing(deploys("old")) });

      expect(result).toMatchObject({
        name: "RevisionNotFoundError",
        deploymentId: "agent",
        message: expect.stringMatching(message),
        ending: { hint: messageMatching(hint) },
      });
    },
  );
});

describe("an unconfirmed request", () => {
  test.each<[string, Script, RegExp]>([
    ["nothing new appeared", listing(deploys("old", "main")), /Nothing new was seen within 60 s\.$/],
    [
      "a new revision does not show its source, because it may be another run's",
      listing(deploys("b"), deploys("a", "other"), deploys("old")),
      /does not confirm .*: b and a\.$/,
    ],
    ["the platform refuses the list", () => ({ code: 403 }), /403/],
  ])("stays unconfirmed if %s", async (_what, list, why) => {
    const { result } = await identified({ unconfirmed, list });

    expect(result).toMatchObject({
      name: "UnconfirmedWriteError",
      message: expect.stringMatching(why),
      ending: { hint: messageMatching(/^A revision may still appear\./) },
      cause: unconfirmed.cause,
    });
    expect(result).toMatchObject({
      message: expect.stringMatching(/^The connection broke\. .*whether the update of agent succeeded\./),
    });
  });
});
