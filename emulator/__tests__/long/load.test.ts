// Many requests while revisions switch, and a build that prints very much.
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import * as v from "valibot";
import { createRepository } from "../run/support/repository.ts";
import {
  createLive,
  deploy,
  endOf,
  langsmithRunRequest,
  runRequest,
  withRunning,
} from "../run/support/running.ts";
import { call, create } from "../support/client.ts";
import { withTemporaryFolder } from "../support/emulator.ts";
import { spawnEmulatorWith } from "../support/process.ts";

// Many processes on a busy machine.
jest.setTimeout(180_000);

/** Sends requests one after the other until `isOver`; counts responses by status or error. */
async function sendRequests(url: string, isOver: () => boolean, counts: Map<string, number>): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  while (!isOver()) {
    const result = await new Promise<string>((resolve) => {
      get(url, { agent }, (response) => {
        response
          .resume()
          .once("close", () => resolve(response.complete ? String(response.statusCode) : "cut"));
      }).once("error", ({ message }) => resolve(message));
    });
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  agent.destroy();
}

test("no request of 50 at a time fails while ten revisions take over one after the other", () =>
  withRunning({}, async (emulator, folder) => {
    const { path } = createRepository(join(folder, "repository"));
    const { id, url } = await createLive(emulator, runRequest(path));
    const counts = new Map<string, number>();
    let isOver = false;
    const clients = Array.from({ length: 50 }, () => sendRequests(`${url}/delayed`, () => isOver, counts));

    const ends = [];
    for (let revision = 0; revision < 10; revision += 1) {
      ends.push(await endOf(emulator, id, await deploy(emulator, id)));
    }
    isOver = true;
    await Promise.all(clients);

    expect(ends).toEqual(Array(10).fill("DEPLOYED"));
    expect([...counts.keys()]).toEqual(["200"]);
    expect(counts.get("200")).toBeGreaterThan(500);
  }));

test("a build that prints 200 MB leaves the emulator below 400 MB, with the last 10,000 lines in the log", () =>
  withTemporaryFolder(async (folder) => {
    const { path } = createRepository(join(folder, "repository"));
    const print =
      "yes 'a line of a build that never stops talking about what it does' | head -c 200000000; echo; echo end";
    const options = ["--run", "--platform", "langsmith", "--build-command", print];
    const emulator = await spawnEmulatorWith({}, ...options, "--start-command", "exec node agent.mjs");

    try {
      const request = langsmithRunRequest(path);
      const { id, latest } = await create(emulator, request);
      expect(await endOf(emulator, id, latest)).toBe("DEPLOYED");

      const log = `/v2/deployments/${id}/revisions/${latest}/logs?type=build&order=desc&limit=2`;
      const { body } = await call(emulator, `GET ${log}`);
      const { logs } = v.parse(v.object({ logs: v.array(v.object({ message: v.string() })) }), body);
      expect(logs.map(({ message }) => message)).toEqual(["The build is complete", "end"]);
      const status = readFileSync(`/proc/${emulator.pid}/status`, "utf8");
      expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(400 * 1024);
    } finally {
      await emulator.end("SIGTERM");
    }
  }));
