import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/support/run.ts";

/** The first workflow on a page, as a reader copies it. @throws if the page has none */
export function firstWorkflowOn(page: string): string {
  const [, workflow] = /^```yaml\n(name: .*?)^```$/ms.exec(readFileSync(join(root, page), "utf8")) ?? [];
  if (workflow === undefined) throw new Error(`${page} shows no workflow`);
  return workflow;
}
