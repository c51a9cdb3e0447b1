import { join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import { type ActionFile, actionFolders, readActionFile } from "../../../scripts/docs/action-file.ts";
import { root } from "../../../scripts/support/run.ts";
import { readCalled } from "../../support/workflow/workflow-file.ts";
import type { Document } from "./documents.ts";

const Step = v.object({
  id: v.optional(v.string()),
  uses: v.optional(v.string(), ""),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
});

const Job = v.object({
  steps: v.optional(v.array(Step), []),
  /** Of a job that calls a reusable workflow. */
  uses: v.optional(v.string(), ""),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
  secrets: v.optional(v.record(v.string(), v.string()), {}),
});

const Workflow = v.object({ jobs: v.record(v.string(), Job) });

type Step = v.InferOutput<typeof Step>;
type Job = v.InferOutput<typeof Job>;

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

function jobsOf(content: string): Job[] {
  return Object.values(v.parse(Workflow, parse(content)).jobs);
}

/** The number of steps that use one of this project's actions, and of jobs that call its reusable workflow. */
export function usesOf({ content }: Document): number {
  const jobs = jobsOf(content);
  const steps = jobs.flatMap(({ steps }) => steps).filter((step) => folderOf(step) !== null);
  return steps.length + jobs.filter(({ uses }) => uses === reusable).length;
}

/** The `run:` scripts of a workflow. */
export function scriptsIn(content: string): string[] {
  return jobsOf(content).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));
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
