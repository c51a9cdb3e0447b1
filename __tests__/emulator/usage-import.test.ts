import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import { startEmulator } from "../../emulator/server.ts";
import { runEmulator, spawnEmulator } from "./support/process.ts";
import { withTemporaryFolder } from "./support/temporary-folder.ts";
import { report, usageFile, usageLine, withUsage } from "./support/usage.ts";

// Some tests start processes: on a busy machine that takes a while.
jest.setTimeout(60_000);

const days = { start_time: "2026-02-03", end_time: "2026-02-06" };

async function total(emulator: Parameters<typeof report>[0]): Promise<number> {
  const { usage } = await report(emulator, days);
  return usage.reduce((sum, { traces }) => sum + traces, 0);
}

test("a file takes the place of what was there, and outlives a restart", () =>
  withTemporaryFolder(async (folder) => {
    const [dataFile, file] = [join(folder, "emulator.db"), join(folder, "usage.jsonl")];
    const totalAfterStart = async (options: Parameters<typeof startEmulator>[0]) => {
      const emulator = await startEmulator({ dataFile, ...options });
      try {
        return await total(emulator);
      } finally {
        await emulator.close();
      }
    };
    await writeFile(file, usageFile([usageLine({ traces: 5 })]));
    expect(await totalAfterStart({ usageFile: file })).toBe(5);
    await writeFile(file, usageFile([usageLine({ traces: 7 })]));
    expect(await totalAfterStart({ usageFile: file })).toBe(7);
    expect(await totalAfterStart({})).toBe(7);
  }));

const good = JSON.stringify(usageLine());
const changed = (replaced: Record<string, unknown>) => JSON.stringify(usageLine(replaced));

test.each([
  ["not JSON", "{"],
  ["no object", "5"],
  ["a list", "[]"],
  ["no time", changed({ time: undefined }), "time"],
  ["a bad time", changed({ time: "2026-02-30" }), "time"],
  ["no project", changed({ project_id: undefined }), "project_id"],
  ["a number for a name", changed({ workspace_name: 5 }), "workspace_name"],
  ["a workspace that no query can ask for", changed({ workspace_id: "workspace-1" }), "workspace_id"],
  ["traces in words", changed({ traces: "5" }), "traces"],
  ["half a trace", changed({ traces: 0.5 }), "traces"],
  ["negative traces", changed({ traces: -1 }), "traces"],
  ["more traces than can be counted", changed({ traces: Number.MAX_SAFE_INTEGER }), "traces"],
  ["an unknown key", changed({ users: 5 }), "users"],
])("a line with %s is refused by its number, and nothing is imported", (_, bad, named = "") =>
  withTemporaryFolder(async (folder) => {
    const [dataFile, file] = [join(folder, "emulator.db"), join(folder, "usage.jsonl")];
    await writeFile(file, usageFile([usageLine({ traces: 5 })]));
    await (await startEmulator({ dataFile, usageFile: file })).close();

    await writeFile(file, `${good}\n\n${bad}\n${good}\n`);
    const refused = startEmulator({ dataFile, usageFile: file });
    await expect(refused).rejects.toThrow(/line 3\b/);
    await expect(refused).rejects.toThrow(named);

    const emulator = await startEmulator({ dataFile });
    expect(await total(emulator)).toBe(5);
    await emulator.close();
  }),
);

test("the program says which line and ends with code 1; a file that isn't there too", () =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, "usage.jsonl");
    await writeFile(file, `${good}\nnonsense\n`);
    const onBadLine = await runEmulator("--port", "0", "--usage", file);
    expect(onBadLine).toMatchObject({ code: 1, stdout: "" });
    expect(onBadLine.stderr).toBe(`--usage ${file}, line 2: not JSON\n`);
    for (const path of [join(folder, "nothing"), folder]) {
      const onNoFile = await runEmulator("--port", "0", "--usage", path);
      expect(onNoFile).toMatchObject({ code: 1, stdout: "" });
      expect(onNoFile.stderr).toMatch(/^--usage .* cannot be read: .*\n$/);
    }
  }));

test("lines end in LF or CRLF, the last one in nothing, and may start with a byte order mark", () =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, "usage.jsonl");
    await writeFile(file, `\uFEFF${good}\r\n${good}\n${good}`);
    const emulator = await startEmulator({ usageFile: file });
    expect(await total(emulator)).toBe(3);
    await emulator.close();
  }));

test("a file of several reads keeps every line and every letter whole", () => {
  const lines = Array.from({ length: 12_000 }, (_, number) =>
    usageLine({ project_id: `p-${number}`, project_name: "東京".repeat(number % 7) }),
  );
  return withUsage(lines, async (emulator) => {
    const { usage } = await report(emulator, { ...days, group_by: "project" });
    expect(usage.map(({ dimensions }) => dimensions)).toEqual(
      lines.map(({ project_id, project_name }) => ({ project_id, project_name })),
    );
  });
});

test("a line without an end doesn't fill the memory", () =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, "usage.jsonl");
    await writeFile(file, `${good}\n${" ".repeat(5_000_000)}`);
    await expect(startEmulator({ usageFile: file })).rejects.toThrow("line 2");
  }));

test("who brings no usage finds a sample, the same every time; who brings an empty file finds none", () =>
  withTemporaryFolder(async (folder) => {
    const read = async (...args: string[]) => {
      const emulator = await spawnEmulator(...args);
      const query = `start_time=2026-01-05&end_time=2026-03-01&workspace_ids=${emulator.workspaceId}&group_by=project`;
      const response = await fetch(`${emulator.url}/api/v1/orgs/current/billing/granular-usage?${query}`, {
        headers: { "X-Api-Key": emulator.apiKey },
      });
      const text = await response.text();
      await emulator.end("SIGTERM");
      return text;
    };
    const sample = await read();
    expect(sample).toContain("support-bot");
    expect(await read()).toBe(sample);

    const file = join(folder, "empty.jsonl");
    await writeFile(file, "");
    const args = ["--data", join(folder, "emulator.db")];
    expect(await read(...args, "--usage", file)).toBe('{"stride":{"days":7,"hours":0},"usage":[]}');
    expect(await read(...args)).toBe('{"stride":{"days":7,"hours":0},"usage":[]}');
  }));
