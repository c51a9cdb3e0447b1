/** The generated tables of docs/README.md: what the workflows in docs/workflows use, and what the reusable one takes. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import { root } from "../support/run.ts";
import { inputRow, replaceBetweenMarkers, table } from "./tables.ts";

const Default = v.pipe(v.union([v.string(), v.boolean()]), v.transform(String));
const Described = v.object({ description: v.string() });

const ReusableSchema = v.object({
  on: v.object({
    workflow_call: v.object({
      inputs: v.record(
        v.string(),
        v.object({
          ...Described.entries,
          required: v.optional(v.boolean(), false),
          default: v.optional(Default, ""),
        }),
      ),
      secrets: v.record(v.string(), Described),
      outputs: v.record(v.string(), Described),
    }),
  }),
});

/** What the secrets and variables of the workflows are, in the order in which docs/README.md shows them. */
const meanings: Readonly<Record<string, string>> = {
  LANGSMITH_API_KEY: "[API key of LangSmith](langsmith.md#the-key-and-the-workspace)",
  LANGSMITH_WORKSPACE_ID: "[ID of the LangSmith workspace](langsmith.md#the-key-and-the-workspace)",
  MODEL_API_KEY: "A secret of the agent itself. Replace it with your own, or remove `secrets`",
  OAUTH_CLIENT_SECRET: "The new client secret",
  AGENT_URL: "Base URL of a running agent",
  AGENT_KEY: "A key that this agent accepts",
  CONTROL_PLANE_URL: "Base URL of the control plane; a self-hosted host includes `/api-host`",
  AGENT_API_KEY: "API key of that platform, not a key of the agent itself",
  AGENT_WORKSPACE_ID: "ID of the workspace",
  AGENT_INTEGRATION_ID:
    "[ID of the integration](other-platforms.md#a-complete-workflow) that has access to the repository",
};

interface Workflow {
  readonly name: string;
  readonly content: string;
}

/** docs/README.md with new tables. Throws if a marker is missing, or a workflow uses a name without a meaning. */
export function replaceWorkflowTables(page: string): string {
  const workflows = globSync("docs/workflows/*.yml", { cwd: root })
    .sort()
    .map((path) => ({ name: basename(path), content: readFileSync(join(root, path), "utf8") }));
  const text = readFileSync(join(root, ".github/workflows/deploy-agent.yml"), "utf8");
  const withSettings = replaceBetweenMarkers(page, "docs/workflows", { settings: settingsTable(workflows) });
  return replaceBetweenMarkers(withSettings, "deploy-agent.yml", reusableTables(text));
}

/** One row for each secret and variable that a workflow uses. Throws if a name has no meaning. */
export function settingsTable(workflows: readonly Workflow[]): string {
  const uses = new Map<string, { kind: string; files: Set<string> }>();
  for (const { name: file, content } of workflows) {
    for (const [, context = "", name = ""] of content.matchAll(/\b(vars|secrets)\.([A-Z]\w*)/g)) {
      if (!Object.hasOwn(meanings, name)) {
        throw new Error(`${file} uses ${name}, which has no meaning in scripts/docs/workflow-tables.ts.`);
      }
      const kind = context === "vars" ? "variable" : "secret";
      const use = uses.get(name) ?? { kind, files: new Set() };
      uses.set(name, { ...use, files: use.files.add(file) });
    }
  }
  const rows = Object.entries(meanings).flatMap(([name, meaning]) => {
    const use = uses.get(name);
    return use ? [[`\`${name}\``, use.kind, meaning, fileList(use.files, workflows)]] : [];
  });
  return table(["Name", "Kind", "What it is", "In"], rows);
}

/** The files that use a name, or the few that do not. */
function fileList(files: ReadonlySet<string>, workflows: readonly Workflow[]): string {
  const others = workflows.map(({ name }) => name).filter((name) => !files.has(name));
  return others.length > 0 && others.length < files.size / 2
    ? `all but ${others.join(", ")}`
    : [...files].join(", ");
}

/** What callers of the reusable workflow set and get. */
function reusableTables(text: string): Readonly<Record<string, string>> {
  const { inputs, secrets, outputs } = v.parse(ReusableSchema, parse(text)).on.workflow_call;
  const described = (from: typeof secrets) =>
    Object.entries(from).map(([name, { description }]) => [`\`${name}\``, description]);
  const inputRows = Object.entries(inputs).map(([name, input]) => inputRow(name, input));
  return {
    "reusable-inputs": table(["Input", "Meaning"], inputRows),
    "reusable-secrets": table(["Secret", "Meaning"], described(secrets)),
    "reusable-outputs": table(["Output", "Meaning"], described(outputs)),
  };
}
