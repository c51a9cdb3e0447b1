// Usage on the emulator's page.
import { expect, test } from "@jest/globals";
import { useUsage, withEmulator } from "../support/emulator.ts";
import { openPage, rowsOf, textOf, textsOf } from "../support/page.ts";
import { OTHER_WORKSPACE, report, usageLine, WORKSPACE } from "../support/usage.ts";

const lines = [
  usageLine({ time: "2026-02-03T10:00:00Z", traces: 30 }),
  usageLine({
    ...{ time: "2026-02-04T10:00:00Z", project_id: "project-2", project_name: "<b>Two</b>" },
    ...{ user_email: null, user_id: "user-2", traces: 60 },
  }),
  usageLine({
    ...{ time: "2026-02-05T10:00:00Z", workspace_id: OTHER_WORKSPACE, workspace_name: "Other" },
    ...{ api_key_short_key: "key-2", traces: 10 },
  }),
];
const emulator = await useUsage(lines);
const page = await openPage(emulator);
const shown = async (query: string) =>
  (await page.get(`/page/usage?start_time=2026-02-01&end_time=2026-02-08&${query}`)).html;

test.each([
  ["project", "<b>Two</b> 60 60.0 %", "Project 40 40.0 %"],
  ["workspace", "Workspace 90 90.0 %", "Other 10 10.0 %"],
  ["user", "user-2 60 60.0 %", "user-1@agents.example 40 40.0 %"],
  ["api_key", "key-1 90 90.0 %", "key-2 10 10.0 %"],
])("usage is shown by %s, the largest first, with the sum", async (group, ...rows) => {
  const html = await shown(`group_by=${group}`);

  expect(rowsOf(html).map((cells) => cells.join(" "))).toEqual(rows);
  expect(textsOf(html, "tfoot")).toEqual(["All 100"]);
  expect(html).toMatch(new RegExp(`<option value="${group}" selected>`));
  expect(html).not.toContain("<b>Two");
});

test("the chart has a bar for each bucket of the API, empty ones too", async () => {
  const html = await shown("group_by=project");
  const { usage } = await report(emulator, {
    ...{ start_time: "2026-02-01", end_time: "2026-02-08", group_by: "project" },
    workspace_ids: [WORKSPACE, OTHER_WORKSPACE],
  });

  const titles = textsOf(html, "title").slice(1);
  expect(titles).toEqual(
    [0, 0, 30, 60, 10, 0, 0].map((traces, index) => `2026-02-0${index + 1}: ${traces} traces`),
  );
  expect(usage.map(({ traces }) => traces)).toEqual([30, 60, 10]);
  expect(html).toContain('role="img" aria-label="Traces over time, at most 60"');
});

test("a time without traces says so, and an invalid one is refused like by the API", async () => {
  const empty = await page.get("/page/usage?start_time=2020-01-01&end_time=2020-02-01");
  const refusal = async (query: string) => {
    const { status, html } = await page.get(`/page/usage?${query}`);
    return [status, ...textsOf(html, "h1")];
  };

  expect(textOf(empty.html)).toContain("There are no traces in this time.");
  const invalid = "start_time: Input should be an ISO 8601 date or date-time";
  expect(await refusal("start_time=2026-02-30")).toEqual([422, invalid]);
  const reversed = "end_time: end_time should be after start_time";
  expect(await refusal("start_time=2026-02-02&end_time=2026-02-01")).toEqual([422, reversed]);
});

test("without a choice the last 30 days are shown by project", () =>
  withEmulator({ sampleUsage: true, now: () => Date.parse("2026-03-02T09:00:00Z") }, async (sampled) => {
    const { html } = await (await openPage(sampled)).get("/page/usage");

    const days = textsOf(html, "title").slice(1);
    const projects = rowsOf(html).map(([name]) => name);
    expect(days).toHaveLength(30);
    expect([days[0], days.at(-1)].map((day) => day?.slice(0, 12))).toEqual(["2026-02-01: ", "2026-03-02: "]);
    expect(projects.toSorted()).toEqual(["nightly-evaluation", "research-agent", "support-bot"]);
  }));
