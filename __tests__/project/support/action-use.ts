import { join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import { type ActionFile, actionFolders, readActionFile } from "../../../scripts/docs/action-file.ts";
import { root } from "../../../scripts/support/run.ts";
import type { Document } from "./documents.ts";

const Step = v.object({
  id: v.optional(v.string()),
  uses: v.optional(v.string(), ""),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
});

const Workflow = v.object({ jobs: v.record(v.string(), v.object({ steps: v.array(Step) })) });

type Step = v.InferOutput<typeof Step>;

const actionFiles: ReadonlyMap<string, ActionFile> = new Map(
  actionFolders.map((folder) => [folder, readActionFile(join(root, folder, "action.yml"))]),
);

/** The folder of the action that a step uses; null if it is none of this project's. */
function folderOf({ uses }: Step): string | null {
  const match = /^(?:OWNER\/REPO(?:\/([\w-]+))?@v1|\.\/([\w-]*))$/.exec(uses);
  return match === null ? null : match[1] || match[2] || ".";
}

/** The ways in which a workflow uses this project's actions that their action.yml does not allow, as sentences. */
export function wrongUses({ path, content }: Document): string[] {
  return Object.values(v.parse(Workflow, parse(content)).jobs).flatMap(({ steps }) => {
    const wrong = steps.flatMap((step) => wrongInputs(step).map((problem) => `${path}: ${problem}`));
    return [...wrong, ...wrongOutputs(steps, content).map((problem) => `${path}: ${problem}`)];
  });
}

/** The number of steps that use one of this project's actions. */
export function usesOf({ content }: Document): number {
  const jobs = Object.values(v.parse(Workflow, parse(content)).jobs);
  return jobs.flatMap(({ steps }) => steps).filter((step) => folderOf(step) !== null).length;
}

function wrongInputs(step: Step): string[] {
  const folder = folderOf(step);
  if (folder === null) return [];
  const { inputs = {} } = actionFiles.get(folder) ?? {};
  const unknown = Object.keys(step.with).filter((name) => !(name in inputs));
  const missing = Object.keys(inputs).filter((name) => inputs[name]?.required && !(name in step.with));
  return [
    ...unknown.map((name) => `${step.uses} has no input ${name}`),
    ...missing.map((name) => `${step.uses} needs the input ${name}`),
  ];
}

function wrongOutputs(steps: readonly Step[], content: string): string[] {
  return steps.flatMap((step) => {
    const folder = folderOf(step);
    if (folder === null || step.id === undefined) return [];
    const { outputs = {} } = actionFiles.get(folder) ?? {};
    return [...content.matchAll(new RegExp(`steps\\.${step.id}\\.outputs\\.(\\w+)`, "g"))]
      .map(([, name = ""]) => name)
      .filter((name) => !(name in outputs))
      .map((name) => `${step.uses} has no output ${name}`);
  });
}
