import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  immediate,
  type PreviewScenario,
  previewOf7,
  type RecordedRun,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";
import { expectError, type Inputs, startEmulatorOn } from "../../support/scenario.ts";

/** Another control plane, on which the same key and workspace are valid. */
async function startAnother({ clock }: PreviewScenario) {
  const emulator = await startEmulatorOn(clock, { statusSeconds: 0 });
  return { emulator, inputs: { control_plane_url: emulator.url } };
}

function notFound(path: string, from = 1): FaultRule {
  return {
    kind: "answer",
    match: { path, from, times: "always" },
    status: 404,
    body: { detail: "Not Found" },
  };
}

/** A pull request with a preview, which was closed. */
async function startWithClosed(): Promise<PreviewScenario> {
  const scenario = await startPreviewScenario(immediate);
  scenario.open();
  await scenario.preview("opened");
  scenario.shut();
  return scenario;
}

/** The states of the preview's records, newest first. */
function states({ github }: PreviewScenario): (string | undefined)[] {
  return github.deployments(taskOf7).map(({ statuses }) => statuses[0]?.state);
}

async function expectKept(scenario: PreviewScenario, run: RecordedRun, fact: string): Promise<void> {
  expectError(run, previewOf7, fact, "Nothing was deleted");
  expect(run.outputs.outcome).toBe("failed");
  expect(states(scenario)).toEqual(["success"]);
  for (const { body } of scenario.github.comments(7)) expect(body).not.toContain("🗑️");
}

describe("closing a pull request deletes nothing, fails, and leaves the record of a preview that was not found if", () => {
  test("the run has another control plane", async () => {
    const scenario = await startWithClosed();
    const { inputs } = await startAnother(scenario);

    const run = await scenario.preview("closed", { inputs });
    await expectKept(scenario, run, "a different control plane or workspace");

    expect((await scenario.preview("closed")).outputs.outcome).toBe("deleted");
    expect(scenario.emulator.deployments()).toEqual([]);
  });

  test.each<[string, readonly FaultRule[], Inputs, string]>([
    ["every response is a 404", [notFound("")], {}, "no list"],
    ["the list ends with a 404", [notFound("/v2/deployments/"), notFound("/deployments$", 2)], {}, "404"],
    ["the platform lists it", [notFound("/v2/deployments/")], {}, "lists it"],
    [
      "the list breaks off after a DELETE",
      [
        answer("DELETE", 404, { body: {} }),
        answer("GET ^/v2/deployments$", 500, { from: 2, times: "always" }),
      ],
      {},
      "Could not read the list of deployments",
    ],
    ["the platform lists it after a DELETE", [answer("DELETE", 404, { body: {} })], {}, "lists it"],
  ])("a closed preview that was not found keeps its record if %s", async (_when, faults, inputs, fact) => {
    const scenario = await startWithClosed();
    for (const fault of faults) scenario.emulator.addFault(fault);

    await expectKept(scenario, await scenario.preview("closed", { inputs }), fact);
    expect(scenario.emulator.deployments()).toHaveLength(1);
  });

  test("an older version recorded it", async () => {
    const scenario = await startPreviewScenario(immediate);
    scenario.open();
    scenario.shut();
    const payload = { deployment_id: "lost", revision_id: "r", name: previewOf7, pull_request: 7 };
    const record = { ref: "main", task: taskOf7, environment: "Preview", payload };
    const { id } = scenario.github.records.add(record, actionsLogin);
    scenario.github.records.addStatus(id, { state: "success" }, actionsLogin);

    await expectKept(scenario, await scenario.preview("closed"), "older version");
  });
});

test("closing a pull request whose preview is gone succeeds with a notice, and its record becomes inactive", async () => {
  const scenario = await startWithClosed();
  const [deployment] = scenario.emulator.deployments();
  await scenario.run("delete", { inputs: { deployment_id: String(deployment?.id) } });

  const run = await scenario.preview("closed");

  expect([run.succeeded, run.outputs.outcome]).toEqual([true, "deleted"]);
  expect(run.notices).toEqual([expect.stringContaining("does not exist")]);
  expect(states(scenario)).toEqual(["inactive"]);
});

describe("if the deletion for a closed pull request fails, the error says what is left and what removes it:", () => {
  const remedy = "To delete the preview, re-run this job, or let the sweep action do it.";

  test.each<[string, FaultRule, string]>([
    [
      "the platform refuses it",
      answer("DELETE", 403, { times: "always" }),
      "The preview still exists, and may cause costs.",
    ],
    [
      "it is unconfirmed",
      answer("DELETE", 500, { times: "always" }),
      "The preview may still exist, and cause costs.",
    ],
    [
      "the preview can't be read",
      answer("GET ^/v2/deployments/[^/]+$", 403, { times: "always" }),
      "The preview may still exist, and cause costs.",
    ],
  ])("%s", async (_why, fault, state) => {
    const scenario = await startWithClosed();
    scenario.emulator.addFault(fault);

    const run = await scenario.preview("closed");

    expectError(run, state, remedy);
    expect(run.summary).toContain(state);
    expect(scenario.emulator.deployments()).toHaveLength(1);
  });

  test("a dry run, which deletes nothing, says nothing of it", async () => {
    const scenario = await startWithClosed();
    scenario.emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 403, { times: "always" }));

    const run = await scenario.preview("closed", { inputs: { dry_run: "true" } });

    expectError(run, "403");
    expect(run.errors[0]).not.toContain(remedy);
  });
});

describe("closing a pull request again", () => {
  test.each<[string, readonly FaultRule[]]>([
    ["on the same control plane", []],
    ["on a control plane without a list", [notFound("/v2/deployments$")]],
  ])("succeeds %s", async (_where, faults) => {
    const scenario = await startWithClosed();
    for (const fault of faults) scenario.emulator.addFault(fault);
    await scenario.preview("closed");

    const again = await scenario.preview("closed");

    expect([again.succeeded, again.outputs.outcome]).toEqual([true, "deleted"]);
  });
});

test("previews of one pull request on two control planes do not steer each other, and each is deleted by its own run", async () => {
  const scenario = await startPreviewScenario(immediate);
  const { emulator, open, preview, run, shut } = scenario;
  const other = await startAnother(scenario);
  open();
  await preview("opened");

  const elsewhere = await preview("opened", { inputs: other.inputs });
  expect(elsewhere.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(states(scenario)).toEqual(["success", "success"]);

  const here = await preview("synchronize");
  expect(here.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  expect(states(scenario)).toEqual(["success", "success", "inactive"]);

  shut();
  const closed = await preview("closed", { inputs: other.inputs });
  expect(closed.outputs).toMatchObject({
    outcome: "deleted",
    deployment_id: elsewhere.outputs.deployment_id,
  });
  expect(states(scenario)).toEqual(["success", "inactive", "inactive"]);
  expect(other.emulator.deployments()).toEqual([]);

  await run("sweep");
  expect(emulator.deployments()).toEqual([]);
  expect(states(scenario)).toEqual(["inactive", "inactive", "inactive"]);
});

describe("a closed pull request whose preview is not there any more", () => {
  const label = /^## 🗑️ .*: nothing to delete$/m;

  test("says so in place of deleted, in the summary and a comment that shows the preview", async () => {
    const scenario = await startWithClosed();
    const [deployment] = scenario.emulator.deployments();
    await scenario.run("delete", { inputs: { deployment_id: String(deployment?.id) } });

    const run = await scenario.preview("closed");

    expect(run.outputs.outcome).toBe("deleted");
    expect(run.summary).toMatch(label);
    expect(scenario.github.comments(7)).toMatchObject([
      { body: expect.stringMatching(/^### 🗑️ Preview .*: nothing to delete$/m) },
    ]);
  });

  test("keeps the comment of the run that deleted it", async () => {
    const scenario = await startWithClosed();
    await scenario.preview("closed");

    const again = await scenario.preview("closed");

    expect(again.summary).toMatch(label);
    expect(scenario.github.comments(7)).toMatchObject([
      { body: expect.stringMatching(/^### 🗑️ Preview .*: deleted$/m) },
    ]);
  });

  test("has no comment if it never had a preview", async () => {
    const scenario = await startPreviewScenario(immediate);
    scenario.open();
    scenario.shut();

    const run = await scenario.preview("closed");

    expect([run.succeeded, run.outputs.outcome]).toEqual([true, "deleted"]);
    expect(run.summary).toMatch(label);
    expect(scenario.github.comments(7)).toEqual([]);
  });
});
