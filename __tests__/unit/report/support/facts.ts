import { classifyStatus } from "../../../../src/platform/status.ts";
import { initialFacts, type RunFacts, type SeenStatus } from "../../../../src/report/facts.ts";
import { Renderer } from "../../../../src/report/renderer.ts";

/** What a run found out, with these facts. */
export function factsWith(facts: Partial<RunFacts> = {}, startedAt = 0): RunFacts {
  return { ...initialFacts, action: "Deploy", startedAt, ...facts };
}

/** These statuses in this order, all seen at once. */
export function seen(...statuses: readonly string[]): { readonly statuses: readonly SeenStatus[] } {
  return { statuses: statuses.map((raw) => ({ status: classifyStatus(raw), at: 0 })) };
}

/** A renderer that knows no secrets. */
export const plainRenderer = new Renderer({
  text: (text) => text,
  value: (text) => text,
  lines: (lines) => ({ lines, unfinishedFrom: lines.length }),
});
