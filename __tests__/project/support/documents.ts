import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/support/run.ts";

/** A text file of the project. */
export interface Document {
  /** Relative to the root. */
  readonly path: string;
  readonly content: string;
}

/** The files that a pattern matches, in the order of their paths. */
export function documents(pattern: string): Document[] {
  return globSync(pattern, { cwd: root })
    .sort()
    .map((path) => ({ path, content: readFileSync(join(root, path), "utf8") }));
}

/** The workflows in a Markdown file. A part of one is completed, so that it can be checked like a whole one. */
export function workflowsIn({ path, content }: Document): Document[] {
  return [...content.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = ""], index) => ({
    path: `${path} example ${index + 1}`,
    content: completed(yaml),
  }));
}

const workflowKey = /^(?:name|run-name|on|env|permissions|concurrency|jobs):/;

/** The start of a step whose further inputs an example shows. */
const step = "- uses: OWNER/REPO/preview@v1\n  with:\n    api_key: key\n    workspace_id: id\n";

function completed(yaml: string): string {
  const job = "jobs:\n  example:\n    runs-on: ubuntu-latest\n    steps:\n";
  if (!workflowKey.test(yaml) && !yaml.startsWith("- ")) {
    return completed(`${step}${yaml.replaceAll(/^(?=.)/gm, "    ")}`);
  }
  if (yaml.startsWith("- ")) return `on: push\n${job}${yaml.replaceAll(/^(?=.)/gm, "      ")}`;
  const triggered = /^on:/m.test(yaml) ? yaml : `on: push\n${yaml}`;
  return /^jobs:/m.test(triggered) ? triggered : `${triggered}${job}      - run: echo\n`;
}
