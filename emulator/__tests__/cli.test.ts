// The emulator as a program.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { call, create, createRequest } from "./support/client.ts";
import { useEmulator, withTemporaryFolder } from "./support/emulator.ts";
import { runEmulator, spawnEmulator } from "./support/process.ts";

const other = await useEmulator();

test("the first line of output has the address, the next one that of the page, and SIGINT ends the emulator with code 0", async () => {
  const emulator = await spawnEmulator();

  expect(emulator.firstLine).toMatch(/^emulator listening on http:\/\/127\.0\.0\.1:\d+$/);
  await create(emulator);
  expect(await emulator.end("SIGINT")).toEqual({
    code: 0,
    signal: null,
    stdout: expect.stringMatching(
      new RegExp(`^${emulator.firstLine}\nits page for your browser: ${emulator.url}/\\?token=[\\w-]{43}\n$`),
    ),
    stderr: "",
  });
});

test("with --no-page no address of a page is printed", async () => {
  const emulator = await spawnEmulator("--no-page");

  expect((await emulator.end("SIGTERM")).stdout).toBe(`${emulator.firstLine}\n`);
});

test("--verbose prints a line for each request, and SIGTERM ends one that hangs", () =>
  withTemporaryFolder(async (folder) => {
    const faults = join(folder, "faults.json");
    await writeFile(faults, JSON.stringify([{ kind: "hang", match: { path: "/some-id$" } }]));
    const emulator = await spawnEmulator("--verbose", "--faults", faults);

    const hanging = expect(call(emulator, "GET /v2/deployments/some-id")).rejects.toThrow();
    await create(emulator, createRequest({ secrets: [{ name: "A", value: "canary" }] }));
    await call(emulator, "GET /v2/deployments/nothing?x=1");

    const { code, stdout } = await emulator.end("SIGTERM");
    await hanging;
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(2)).toEqual([
      expect.stringMatching(/^\S+Z POST \/v2\/deployments 201$/),
      expect.stringMatching(/^\S+Z GET \/v2\/deployments\/nothing 422$/),
      "",
    ]);
  }));

test("--help prints the options of the emulator", async () => {
  const { code, stdout, stderr } = await runEmulator("--help");

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const option of ["--faults", "--platform", "--repository"]) expect(stdout).toContain(option);
});

test("invalid options end the emulator with code 2, a message and the usage", async () => {
  const { code, stdout, stderr } = await runEmulator("--port", "http");

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^--port .*\nusage: npm run emulator/);
  expect(stderr).not.toContain("    at ");
});

test("a port in use, an invalid data file and an invalid usage file end the emulator with code 1", () =>
  withTemporaryFolder(async (folder) => {
    const { port } = new URL(other.url);
    const [data, usage] = [join(folder, "emulator.db"), join(folder, "usage.jsonl")];
    await writeFile(data, "this is no database, ".repeat(100));
    await writeFile(usage, "nonsense\n");

    const ends = await Promise.all([
      runEmulator("--port", port),
      runEmulator("--port", "0", "--data", data),
      runEmulator("--port", "0", "--usage", usage),
    ]);

    const messages = ["Set another --port.", `--data ${data}`, `--usage ${usage}, line 1`];
    for (const [index, message] of messages.entries()) {
      expect(ends[index]).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
      expect(ends[index]?.stderr).not.toContain("    at ");
    }
  }));

test("the emulator ends in order although Ctrl+C and whoever started it both end it", async () => {
  const emulator = await spawnEmulator();

  const [ended] = await Promise.all([emulator.end("SIGINT"), emulator.end("SIGTERM")]);

  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
});
