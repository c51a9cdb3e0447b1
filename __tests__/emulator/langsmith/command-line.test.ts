import { expect, jest, test } from "@jest/globals";
import { OptionError, readCommandLine } from "../../../emulator/command-line.ts";
import { call } from "../support/client.ts";
import { create, INTEGRATION_ID, readRevision, withLangsmith } from "../support/langsmith.ts";
import { runEmulator, spawnEmulator } from "../support/process.ts";

// Two tests start a process: on a busy machine that takes a while.
jest.setTimeout(60_000);

const OTHER = "11111111-1111-4111-8111-111111111111";
const SHA = "0123456789abcdef0123456789abcdef01234567";

test("the program speaks the dialect when it is told to", async () => {
  const emulator = await spawnEmulator(
    "--platform",
    "langsmith",
    "--status-seconds",
    "0",
    "--commit",
    `main=${SHA}`,
  );
  try {
    const { id, latest } = await create(emulator);
    expect((await readRevision(emulator, id, latest)).source_revision_config.repo_commit_sha).toBe(SHA);
  } finally {
    await emulator.end("SIGTERM");
  }
});

test("--help tells the options and ends well", async () => {
  const { code, stdout, stderr } = await runEmulator("--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const option of ["--platform", "--commit", "--repository", "--unhealthy-ref"]) {
    expect(stdout).toContain(option);
  }
});

test("repositories belong to the integration that is named before them, else to the sample's", () => {
  const repositories = [
    "https://github.com/me/app",
    "https://github.com/me/web",
    `${OTHER}=https://github.com/us/app`,
  ];
  const { emulator } = readCommandLine(repositories.flatMap((text) => ["--repository", text]));
  expect(emulator.integrations).toEqual([
    { id: INTEGRATION_ID, name: "me", repositories: repositories.slice(0, 2) },
    { id: OTHER, name: "us", repositories: ["https://github.com/us/app"] },
  ]);
});

test("what isn't given is left to the emulator", () => {
  const { emulator } = readCommandLine([]);
  expect(emulator).toMatchObject({ platform: "standard", commits: {}, unhealthyRefs: [] });
  expect(emulator.integrations).toBeUndefined();
});

test("a commit's ref may hold an equals sign", () => {
  expect(readCommandLine(["--commit", `a=b=${SHA}`]).emulator.commits).toEqual({ "a=b": SHA });
});

test.each([
  [["--platform", "langchain"], "--platform has to be standard or langsmith"],
  [["--commit", "main"], "--commit"],
  [["--commit", "main=abc"], "--commit"],
  [["--repository", "octo-org/octo-repo"], "--repository"],
  [["--repository", "integration-1=https://github.com/a/b"], "--repository"],
  [["--unhealthy-ref", ""], "--unhealthy-ref"],
])("the options %j are refused", (args, message) => {
  expect(() => readCommandLine(args)).toThrow(OptionError);
  expect(() => readCommandLine(args)).toThrow(message);
});

test("usage and OAuth providers are as ever", () =>
  withLangsmith({ sampleUsage: true }, async ({ emulator }) => {
    const patch = await call(emulator, "PATCH /v2/auth/providers/local-provider", { name: "x" });
    expect(patch).toMatchObject({ status: 200, body: { name: "x" } });
    const usage = `GET /api/v1/orgs/current/billing/granular-usage?start_time=2026-02-01&end_time=2026-03-01&workspace_ids=${emulator.workspaceId}`;
    expect(await call(emulator, usage)).toMatchObject({
      status: 200,
      body: { stride: { days: 1, hours: 0 } },
    });
  }));
