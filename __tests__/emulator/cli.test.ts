import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import { serve } from "../support/serve.ts";
import { call, create, createRequest, statusOf } from "./support/client.ts";
import { runEmulator, spawnEmulator } from "./support/process.ts";
import { withTemporaryFolder } from "./support/temporary-folder.ts";

// Each test starts a process or more: on a busy machine that takes a while.
jest.setTimeout(60_000);

test("the first line tells where it listens, and SIGTERM and SIGINT end it cleanly", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const emulator = await spawnEmulator();
    expect(emulator.firstLine).toMatch(/^emulator listening on http:\/\/127\.0\.0\.1:\d+$/);
    await create(emulator);
    expect(await emulator.end(signal)).toEqual({
      code: 0,
      signal: null,
      stdout: `${emulator.firstLine}\n`,
      stderr: "",
    });
  }
});

test("a hanging request doesn't keep it from ending", () =>
  withTemporaryFolder(async (folder) => {
    const rules = join(folder, "rules.json");
    await writeFile(rules, JSON.stringify([{ kind: "hang", match: { path: "/some-id$" } }]));
    const emulator = await spawnEmulator("--misbehave", rules);
    const hanging = expect(call(emulator, "GET /v2/deployments/some-id")).rejects.toThrow();
    // A whole exchange later the request has arrived.
    expect((await call(emulator, "GET /v2/deployments")).status).toBe(200);
    expect((await emulator.end("SIGTERM")).code).toBe(0);
    await hanging;
  }));

test("every option reaches the emulator", () =>
  withTemporaryFolder(async (folder) => {
    const data = join(folder, "emulator.db");
    const workspaceId = "22222222-2222-4222-8222-222222222222";
    const args = ["--host", "localhost", "--data", data, "--api-key", "own", "--workspace-id", workspaceId];
    const refs = ["--fail-ref", "broken=BUILD_FAILED", "--fail-ref", "a=b=SKIPPED"];
    const own = {
      ...(await spawnEmulator(...args, ...refs, "--status-seconds", "0")),
      apiKey: "own",
      workspaceId,
    };
    expect(own.firstLine).toMatch(/^emulator listening on http:\/\/localhost:\d+$/);

    for (const [ref, status] of [
      ["broken", "BUILD_FAILED"],
      ["a=b", "SKIPPED"],
      ["main", "DEPLOYED"],
    ]) {
      const source_revision_config = { ...createRequest().source_revision_config, repo_ref: ref };
      const { id, latest } = await create(own, { name: `on ${ref}`, source_revision_config });
      expect(await statusOf(own, id, latest)).toBe(status);
    }
    await own.end("SIGTERM");
  }));

test("--verbose prints a line for each request, without its body", async () => {
  const emulator = await spawnEmulator("--verbose");
  await create(emulator, { secrets: [{ name: "A", value: "canary" }] });
  await call(emulator, "GET /v2/deployments/nothing?x=1");
  const { stdout } = await emulator.end("SIGTERM");
  expect(stdout.split("\n").slice(1)).toEqual([
    expect.stringMatching(/^\S+Z POST \/v2\/deployments 201$/),
    expect.stringMatching(/^\S+Z GET \/v2\/deployments\/nothing 422$/),
    "",
  ]);
});

test.each([
  [["--port", "70000"], "--port"],
  [["--port", "http"], "--port"],
  [["--port", ""], "--port"],
  [["--status-seconds", "-1"], "--status-seconds"],
  [["--status-seconds", "soon"], "--status-seconds"],
  [["--fail-ref", "main"], "--fail-ref"],
  [["--fail-ref", "main=failed"], "--fail-ref"],
  [["--misbehave", "/nowhere/rules.json"], "--misbehave"],
  [["--prot", "1"], "--prot"],
  [["8124"], "8124"],
  [["--api-key"], "--api-key"],
])("the options %j end it with code 2 and a message that names what is wrong", async (args, name) => {
  const { code, stdout, stderr } = await runEmulator(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.split("\n")[0]).toContain(name);
  expect(stderr).toContain("usage: npm run emulator");
  expect(stderr).not.toContain("    at ");
});

test("a rule file with a mistake is refused with its place", () =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, "rules.json");
    await writeFile(file, JSON.stringify([{ kind: "hang" }, { kind: "answer", status: 99 }]));
    const { code, stderr } = await runEmulator("--misbehave", file);
    expect(code).toBe(2);
    expect(stderr).toContain("1.status");
  }));

test("a port that is taken and a data file that is none end it with code 1", () =>
  withTemporaryFolder(async (folder) => {
    const { port } = new URL(await serve(() => {}));
    const onTaken = await runEmulator("--port", port);
    expect(onTaken).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(`port ${port}`) });

    const file = join(folder, "emulator.db");
    await writeFile(file, "this is no database, ".repeat(100));
    const onText = await runEmulator("--port", "0", "--data", file);
    expect(onText).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(`--data ${file}`) });
  }));
