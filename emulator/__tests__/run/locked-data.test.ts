// Data files that can't be written for a while: another program has locked them, or the disk is full.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { expect, jest, test } from "@jest/globals";
import { OutputLog } from "../../runner/output-log.ts";
import { redactorFor } from "../../runner/redact.ts";
import { retryWrite } from "../../runner/retry-write.ts";
import { transaction } from "../../store/database.ts";
import { call, create, createRequest, statusOf } from "../support/client.ts";
import { withTemporaryFolder } from "../support/emulator.ts";
import { spawnEmulator } from "../support/process.ts";
import { createRepository } from "./support/repository.ts";
import { createLive, endOf, langsmithRunRequest, until } from "./support/running.ts";

/** Locks a data file. @returns a function that ends the lock */
function lock(file: string): () => void {
  const database = new DatabaseSync(file);
  database.exec("BEGIN IMMEDIATE");
  return () => database.close();
}

/** A database of a few pages, which is full after some rows. */
function smallDatabase() {
  const database = new DatabaseSync("");
  database.exec("PRAGMA max_page_count = 8; CREATE TABLE rows (text TEXT)");
  const insert = database.prepare("INSERT INTO rows VALUES (?)");
  return { database, fill: () => void insert.run("x".repeat(100_000)) };
}

test("an agent responds and prints, and a build ends, while another program has locked the data file", () =>
  withTemporaryFolder(async (folder) => {
    const { path, commit } = createRepository(join(folder, "repository"));
    commit({ "agent.mjs": PRINTING_AGENT });
    const [data, gate] = [join(folder, "emulator.db"), join(folder, "gate")];
    const build = `while [ -e ${gate} ]; do sleep 0.05; done`;
    const emulator = await spawnEmulator(
      ...["--run", "--platform", "langsmith", "--data", data],
      ...["--build-command", build, "--start-command", "exec node agent.mjs"],
    );
    const request = langsmithRunRequest(path);
    const { id, latest, url } = await createLive(emulator, request);
    writeFileSync(gate, "");
    const next = await create(emulator, { ...request, name: "next" });
    await until(
      () => statusOf(emulator, next.id, next.latest),
      (status) => status === "BUILDING",
    );

    const unlock = lock(data);
    await fetch(`${url}/print`);
    rmSync(gate);
    await setTimeout(1000);
    unlock();

    expect(await endOf(emulator, next.id, next.latest)).toBe("DEPLOYED");
    const logs = `GET /v2/deployments/${id}/revisions/${latest}/logs?type=deploy`;
    await until(
      async () => JSON.stringify((await call(emulator, logs)).body),
      (log) => log.includes("printed while locked"),
    );
    const { code, stderr } = await emulator.end("SIGTERM");
    expect(code).toBe(0);
    expect(new Set(stderr.split("\n"))).toEqual(
      new Set([
        "A log cannot be written: database is locked. Retrying.",
        "The data file cannot be written: database is locked. Retrying.",
        "",
      ]),
    );
  }));

const PRINTING_AGENT = `import { createServer } from "node:http";
createServer((request, response) => {
  if (request.url === "/print") console.log("printed while locked");
  response.end();
}).listen(process.env.PORT, process.env.HOST);
`;

test("reads respond while another program has locked the data file", () =>
  withTemporaryFolder(async (folder) => {
    const data = join(folder, "emulator.db");
    const emulator = await spawnEmulator("--data", data);
    const { id } = await create(emulator);

    const unlock = lock(data);
    const { status } = await call(emulator, `GET /v2/deployments/${id}`);
    unlock();

    expect(status).toBe(200);
    await emulator.end("SIGTERM");
  }));

test("two emulators on one new data file accept every create", () =>
  withTemporaryFolder(async (folder) => {
    const data = join(folder, "emulator.db");
    const emulators = await Promise.all([spawnEmulator("--data", data), spawnEmulator("--data", data)]);

    const responses = await Promise.all(
      emulators.flatMap((emulator) =>
        Array.from({ length: 30 }, () => call(emulator, "POST /v2/deployments", createRequest())),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual(Array(60).fill(201));
    for (const emulator of emulators) expect((await emulator.end("SIGTERM")).stderr).toBe("");
  }));

test("a transaction on a full disk fails with its own reason", () => {
  const { database, fill } = smallDatabase();

  expect(() => transaction(database, fill)).toThrow("database or disk is full");
});

test("a log whose lines can't be stored keeps them, and stores them later", () => {
  jest.useFakeTimers();
  const stderr = jest.spyOn(console, "error").mockImplementation(() => {});
  const stored: string[] = [];
  let isFull = true;
  const log = new OutputLog({
    append(lines) {
      if (isFull) throw new Error("database or disk is full");
      stored.push(...lines.map(({ message }) => message));
    },
    redact: redactorFor([]),
    now: () => 0,
  });

  log.write("stdout", Buffer.from("one\n"));
  jest.advanceTimersByTime(1000);
  log.write("stdout", Buffer.from("two\nthree"));
  log.end();
  isFull = false;
  jest.advanceTimersByTime(60_000);
  jest.useRealTimers();

  expect(stored).toEqual(["one", "two", "three"]);
  expect(stderr).toHaveBeenCalledWith("A log cannot be written: database or disk is full. Retrying.");
  stderr.mockRestore();
});

test("a write is retried while the disk is full, until its signal aborts", async () => {
  const stderr = jest.spyOn(console, "error").mockImplementation(() => {});
  const { signal } = new AbortController();
  const { fill } = smallDatabase();
  let attempts = 0;
  const write = () => {
    attempts += 1;
    if (attempts < 3) fill();
    return "stored";
  };

  expect(await retryWrite(write, signal, 1)).toBe("stored");
  expect(await retryWrite(fill, AbortSignal.abort(), 1)).toBeUndefined();
  await expect(retryWrite(() => Promise.reject(new Error("other")), signal, 1)).rejects.toThrow("other");
  stderr.mockRestore();
});
