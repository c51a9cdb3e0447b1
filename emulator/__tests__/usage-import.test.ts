import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type EmulatorOptions, startEmulator } from "../index.ts";
import { readUsageFile, UsageFileError } from "../usage/usage-file.ts";
import { START, withEmulator, withTemporaryFolder } from "./support/emulator.ts";
import { report, usageFile, usageLine } from "./support/usage.ts";

/** Everything that the reader makes of a file with this content. */
function read(content: string) {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, "usage.jsonl");
    await writeFile(file, content);
    return [...readUsageFile(file)];
  });
}

const good = JSON.stringify(usageLine());
const changed = (replaced: Record<string, unknown>) => JSON.stringify(usageLine(replaced));

test.each([
  ["that is not JSON", "{", "not JSON"],
  ["that is a number", "5", "line 3"],
  ["that is a list", "[]", "line 3"],
  ["without a time", changed({ time: undefined }), "time"],
  ["with a day that does not exist", changed({ time: "2026-02-30" }), "time"],
  ["without a project", changed({ project_id: undefined }), "project_id"],
  ["with a number as a name", changed({ workspace_name: 5 }), "workspace_name"],
  ["with a workspace that is not a UUID", changed({ workspace_id: "workspace-1" }), "workspace_id"],
  ["with traces as text", changed({ traces: "5" }), "traces"],
  ["with half a trace", changed({ traces: 0.5 }), "traces"],
  ["with negative traces", changed({ traces: -1 }), "traces"],
  ["that makes the sum too large", changed({ traces: Number.MAX_SAFE_INTEGER }), "traces"],
  ["with an unknown key", changed({ users: 5 }), "users"],
  ["longer than a mebibyte", " ".repeat(2_500_000), "line 3"],
])("a usage file with a line %s is refused with the number of the line", async (_, bad, named) => {
  const reading = read(`${good}\n\n${bad}`);

  await expect(reading).rejects.toThrow(UsageFileError);
  await expect(reading).rejects.toThrow(/line 3\b/);
  await expect(reading).rejects.toThrow(named);
});

test("a usage file that cannot be read is refused with its name", () =>
  withTemporaryFolder(async (folder) => {
    for (const path of [join(folder, "nothing"), folder]) {
      expect(() => [...readUsageFile(path)]).toThrow(UsageFileError);
      expect(() => [...readUsageFile(path)]).toThrow(path);
    }
  }));

test("a usage file may have LF, CRLF, no last line end and a byte order mark", async () => {
  expect(await read(`\uFEFF${good}\r\n${good}\n${good}`)).toHaveLength(3);
});

test("a large usage file keeps every line and every letter", async () => {
  const lines = Array.from({ length: 12_000 }, (_, number) =>
    usageLine({ project_id: `p-${number}`, project_name: "東京".repeat(number % 7) }),
  );

  const names = (await read(usageFile(lines))).map(({ project_id, project_name }) => [
    project_id,
    project_name,
  ]);

  expect(names).toEqual(lines.map(({ project_id, project_name }) => [project_id, project_name]));
});

const days = { start_time: "2026-02-03", end_time: "2026-02-06" };

test("a usage file replaces earlier usage and outlives a restart, an invalid one changes nothing", () =>
  withTemporaryFolder(async (folder) => {
    const [dataFile, file] = [join(folder, "emulator.db"), join(folder, "usage.jsonl")];
    const tracesAfterStart = (options: EmulatorOptions) =>
      withEmulator({ dataFile, ...options }, async (emulator) => {
        const { usage } = await report(emulator, days);
        return usage.map(({ traces }) => traces);
      });

    await writeFile(file, usageFile([usageLine({ traces: 5 })]));
    expect(await tracesAfterStart({ usageFile: file })).toEqual([5]);
    await writeFile(file, usageFile([usageLine({ traces: 7 })]));
    expect(await tracesAfterStart({ usageFile: file })).toEqual([7]);
    await writeFile(file, `${good}\nnonsense\n`);
    await expect(startEmulator({ dataFile, usageFile: file })).rejects.toThrow(UsageFileError);
    expect(await tracesAfterStart({})).toEqual([7]);
    await writeFile(file, "");
    expect(await tracesAfterStart({ usageFile: file, sampleUsage: true })).toEqual([]);
    expect(await tracesAfterStart({ sampleUsage: true })).toEqual([]);
  }));

test("sample usage is the same in every new database", async () => {
  const read = () =>
    withEmulator({ sampleUsage: true, now: () => START }, (emulator) =>
      report(emulator, { ...days, workspace_ids: emulator.workspaceId, group_by: "project" }),
    );

  const sample = await read();

  expect(sample.usage[0]?.dimensions.project_id).toBe("support-bot");
  expect(await read()).toEqual(sample);
});
