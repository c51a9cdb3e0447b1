import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, startBehind, startScenario } from "../../support/scenario.ts";

const patch = { method: "PATCH" };
const list = { method: "GET", path: "/revisions$" };

describe("a revision that is shown to deploy another ref is never this run's,", () => {
  test("even if the update named it and no other appears", async () => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
    const { id } = await existing();
    const theirs = emulator.addConcurrentRevision(id, "theirs").id;
    emulator.addFault(answer(list, 200, { body: { resources: [] }, times: 2 }));
    const match = { method: "GET", path: `^/v2/deployments/${id}$`, times: "always" } as const;
    emulator.addFault(answer(match, 200, { body: { id, name: "agent", latest_revision_id: null } }));
    emulator.addFault(answer(patch, 200, { body: { id, latest_revision_id: theirs } }));

    const run = await deploy({ repo_ref: "ours" });

    expect(run.outputs.outcome).toBe("failed");
    expect(run.outputs.revision_id ?? "").toBe("");
    expectError(run, "60 s", theirs);
  });

  test("even if that is shown only while it is watched", async () => {
    const { deploy, emulator, existing, stored } = await startScenario();
    const { id } = await existing();
    const match = { method: "GET", path: "/revisions/" };
    emulator.addFault(answer(match, 503));
    emulator.addFault({ kind: "concurrent_revision", when: "after", repo_ref: "theirs" });
    emulator.addFault({ kind: "reset", match: patch, applied: true });

    const lost = await deploy({ repo_ref: "ours" });

    expect(lost.outputs.revision_id).toBe(
      stored().revisions.find(({ source_revision_config }) => source_revision_config.repo_ref === "ours")?.id,
    );
    const theirs = emulator.addConcurrentRevision(id, "theirs").id;
    const body = { id, latest_revision_id: theirs };
    emulator.addFault({ kind: "hide_new", where: ["revisions", "deployment"], reads: 3 });
    emulator.addFault(answer(patch, 200, { body }));
    emulator.addFault(answer(match, 503));

    const run = await deploy({ repo_ref: "ours" });

    expect(run.outputs.outcome).toBe("failed");
  });

  test("nor the first one of a deployment that this run created", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    const source_revision_config = {
      repo_ref: "theirs",
      app_config_path: "app/config.json",
      image_uri: null,
    };
    const match = { method: "GET", path: "/revisions/", times: "always" } as const;
    const created = { id: "d", name: "agent", latest_revision_id: "r" };
    emulator.addFault(answer("POST", 201, { body: created }));
    const body = { id: "r", status: "DEPLOYED", source_revision_config };
    emulator.addFault(answer(match, 200, { body }));

    const run = await deploy({ repo_ref: "ours" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "does not confirm that they are this run's: r");
  });
});

describe("a create whose response names a revision", () => {
  /** The response shows a deployment whose only revision has this age in seconds, by the platform's clock. */
  async function createdWith(ageSeconds: number, zone = "Z", firstRead: number | undefined = undefined) {
    const scenario = await startScenario({ statusSeconds: 0 });
    const { deploy, emulator, existing } = scenario;
    const { id, revisionId } = await existing("other");
    emulator.addFault({ kind: "hide_new", where: ["deployments"], milliseconds: 3_600_000 });
    const createdAt = new Date(scenario.clock.now() - ageSeconds * 1000).toISOString().replace("Z", zone);
    const created = { id, name: "agent", latest_revision_id: revisionId };
    const revision = { id: revisionId, status: "DEPLOYED", created_at: createdAt };
    const [one, all] = [{ path: `/revisions/${revisionId}$` }, { path: "/revisions$" }];
    const always = { method: "GET", times: "always" } as const;
    if (firstRead !== undefined) emulator.addFault(answer(one, firstRead));
    emulator.addFault(answer("POST", 201, { body: created }));
    emulator.addFault({ kind: "answer", match: { ...always, ...one }, status: 200, body: revision });
    const body = { resources: [revision] };
    emulator.addFault({ kind: "answer", match: { ...always, ...all }, status: 200, body });
    return { revisionId, deploy };
  }

  test.each([{ wait: "true" }, { wait: "false" }])(
    "fails if that was created long before (%j)",
    async (inputs) => {
      const { revisionId, deploy } = await createdWith(3600);

      const run = await deploy(inputs);

      expect(run.outputs.outcome).toBe("failed");
      expect(run.outputs.revision_id ?? "").toBe("");
      expect(run.warnings).toEqual([
        expect.stringContaining(`${revisionId}, but that one existed before the run`),
      ]);
      expectError(run, "no new revision of this run appeared");
    },
  );

  test("fails even if that is shown only while it is watched", async () => {
    const { revisionId, deploy } = await createdWith(3600, "Z", 503);

    const run = await deploy();

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, revisionId, "existed before");
  });

  test.each([
    ["just now", 1, "Z"],
    ["at a time without a time zone, which may be local", 6 * 3600, ""],
  ])("is believed if that was created %s", async (_when, ageSeconds, zone) => {
    const { revisionId, deploy } = await createdWith(ageSeconds, zone);

    const run = await deploy({ wait: "false" });

    expect(run.outputs).toMatchObject({ outcome: "started", revision_id: revisionId });
  });

  test("is believed if the runner's clock is an hour ahead of the platform's", async () => {
    const { deploy, stored } = await startBehind(3600);

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().latest_revision_id });
  });
});

describe("an id means the same revision in another case:", () => {
  test("an old one in capitals in the list is not new when the response names it", async () => {
    const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
    const { id, revisionId } = await existing();
    const deployment = { id, name: "agent" };
    emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body: deployment }));
    const resources = stored().revisions.map((revision) => ({ ...revision, id: revisionId.toUpperCase() }));
    emulator.addFault(answer(list, 200, { body: { resources }, times: 2 }));
    const body = { ...deployment, latest_revision_id: revisionId };
    emulator.addFault(answer(patch, 200, { body, applied: true }));

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
    expect(run.outputs.revision_id).not.toBe(revisionId);
  });
});

test("empty ids and a null list mean that there is none", async () => {
  const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  const { id } = await existing();
  const match = { method: "GET", path: `^/v2/deployments/${id}$`, times: "always" } as const;
  const deployment = { id, name: "agent", latest_revision_id: "", active_revision_id: "" };
  emulator.addFault(answer(match, 200, { body: deployment }));
  emulator.addFault(answer(list, 200, { body: { resources: null } }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
  expect(run.outputs.previous_revision_id ?? "").toBe("");
});

test("a null list of deployments has none of that name", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
  emulator.addFault(answer("GET ^/v2/deployments$", 200, { body: { resources: null } }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
});

test("a revision is new if the list before did not have it, even if its time is before that of the newest one", async () => {
  const { deploy, emulator, existing, stored } = await startScenario({ statusSeconds: 0 });
  const { id, revisionId } = await existing();
  const resources = stored().revisions.map((revision) => ({
    ...revision,
    created_at: "2999-01-01T00:00:00Z",
  }));
  emulator.addFault(answer(list, 200, { body: { resources }, times: 2 }));

  const run = await deploy();

  expect(run.warnings).toEqual([]);
  expect(run.outputs).toMatchObject({
    outcome: "deployed",
    deployment_id: id,
    previous_revision_id: revisionId,
  });
  expect(run.outputs.revision_id).toBe(stored().revisions[0]?.id);
});
