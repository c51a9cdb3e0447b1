import { describe, expect, test } from "@jest/globals";
import { hostilePreviews } from "./support/hostile-previews.ts";
import type { Step } from "./support/step.ts";

const { hostile, github, preview, expectHarmless } = hostilePreviews();

/** What GitHub takes: more is refused or cut (field guide, 1). */
const most = { summary: 1024 * 1024, comment: 65_536, description: 140, line: 4_200 };

let runs = 0;

/** Of a new environment, so that nothing earlier is gone on with. */
function fresh(): Promise<Step> {
  return preview("synchronize", { environment: `Preview ${++runs}`, timeout_seconds: "120" });
}

function expectFits(step: Step): void {
  expectHarmless(step);
  expect(Buffer.byteLength(step.summary)).toBeLessThan(most.summary);
  expect(Math.max(...step.stdout.split("\n").map((line) => line.length))).toBeLessThan(most.line);
  for (const { body } of github().comments(7)) expect(body.length).toBeLessThan(most.comment);
  const statuses = github()
    .deployments()
    .flatMap((record) => record.statuses);
  for (const { description } of statuses)
    expect((description ?? "").length).toBeLessThanOrEqual(most.description);
}

const endless = "A @long <b>text</b> ".repeat(8000);
const deployment = { id: "deployment-1", name: "octo-repo-pr-7", latest_revision_id: "revision-1" };

/** A platform on which a preview is created, and then says this. */
function serve(made: Record<string, unknown>, revision: () => Record<string, unknown>): void {
  hostile.serve((line) => {
    if (line === "GET /v2/deployments") return { status: 200, body: { resources: [] } };
    if (line.startsWith("POST")) return { status: 201, body: made };
    return { status: 200, body: line.includes("/revisions/") ? revision() : made };
  });
}

describe("what is written stays within what GitHub takes, however much the platform says in", () => {
  test("a status", async () => {
    serve(deployment, () => ({ id: "revision-1", status: `${endless} FAILED`, status_message: endless }));
    expectFits(await fresh());
  });

  test("thousands of statuses", async () => {
    let number = 0;
    serve(deployment, () => ({ id: "revision-1", status: `${++number} ${"x".repeat(5000)}` }));
    expectFits(await fresh());
  });

  test("an id", async () => {
    const made = { ...deployment, id: endless.slice(0, 5000), latest_revision_id: endless.slice(0, 6000) };
    serve(made, () => ({ id: "revision-1", status: "BUILD_FAILED" }));
    expectFits(await fresh());
  });

  test("an address", async () => {
    serve({ ...deployment, url: `https://agent.example.com/${"a".repeat(200_000)}` }, () => ({
      id: "revision-1",
      status: "DEPLOYED",
    }));
    expectFits(await fresh());
  });

  test("words", async () => {
    hostile.serve(() => ({ status: 400, body: { detail: endless } }));
    expectFits(await fresh());
  });

  test("items of a 422", async () => {
    const item = { loc: ["body", "x".repeat(400)], msg: endless.slice(0, 1000), type: "x" };
    const detail = new Array(5000).fill(item);
    hostile.serve((line) =>
      line.startsWith("GET") ? { status: 200, body: { resources: [] } } : { status: 422, body: { detail } },
    );
    expectFits(await fresh());
  });
});
