import { join } from "node:path";
import { type ActionFile, actionFolders, readActionFile } from "../../../scripts/docs/action-file.ts";
import { root } from "../../../scripts/support/run.ts";
import { readCalled } from "../../support/workflow/workflow-file.ts";
import type { Document } from "./documents.ts";
import { type Job, jobsOf, type Step } from "./workflow-shape.ts";

const reusable = "OWNER/REPO/.github/workflows/deploy-agent.yml@v1";
const declared = readCalled(reusable).on.workflow_call;

const actionFiles: ReadonlyMap<string, ActionFile> = new Map(
  actionFolders.map((folder) => [folder, readActionFile(join(root, folder, "action.yml"))]),
);

/** The folder of the action that a step uses; null if it is none of this project's. */
function folderOf({ uses }: Step): string | null {
  const match = /^(?:OWNER\/REPO(?:\/([\w-]+))?@(?:v1|[0-9a-f]{40})|\.\/([\w-]*))$/.exec(uses);
  return match === null ? null : match[1] || match[2] || ".";
}

/** The ways in which a workflow uses this project's actions that their action.yml does not allow, as sentences. */
export function wrongUses({ path, content }: Document): string[] {
  const problems = jobsOf(content).flatMap((job) => [
    ...wrongCall(job),
    ...job.steps.flatMap(wrongInputs),
    ...wrongOutputs(job.steps, content),
  ]);
  return problems.map((problem) => `${path}: ${problem}`);
}

function wrongCall(job: Job): string[] {
  if (job.uses === "") return [];
  if (job.uses !== reusable) return [`${job.uses} is no reusable workflow of this project`];
  const unknown = [
    ...Object.keys(job.with).filter((name) => !(name in declared.inputs)),
    ...Object.keys(job.secrets).filter((name) => !(name in declared.secrets)),
  ];
  const missing = Object.keys(declared.inputs).filter(
    (name) => declared.inputs[name]?.required === true && !(name in job.with),
  );
  return [
    ...unknown.map((name) => `${job.uses} has no input or secret ${name}`),
    ...missing.map((name) => `${job.uses} needs the input ${name}`),
  ];
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
