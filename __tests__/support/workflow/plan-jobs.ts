import type { Level } from "../github/permissions.ts";
import { type Contexts, evaluateCondition, evaluateText } from "./evaluate.ts";
import { type Call, type CalledWorkflow, type Caller, readCalled } from "./workflow-file.ts";

/** What a run of the caller's workflow knows. */
export interface WorkflowContexts extends Contexts {
  readonly github: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** A job whose `if:` holds. */
export interface PlannedJob {
  readonly name: string;
  readonly permissions: Readonly<Record<string, Level>>;
  readonly concurrency: { readonly group: string; readonly cancelsInProgress: boolean };
  /** Its steps whose `if:` holds: each uses an action, with these inputs. */
  readonly steps: readonly PlannedStep[];
}

interface PlannedStep {
  readonly uses: string;
  readonly inputs: Readonly<Record<string, string>>;
}

const ranks: Readonly<Record<Level, number>> = { none: 0, read: 1, write: 2 };

/**
 * The jobs that GitHub runs if this workflow, which calls a reusable one, starts. @throws if GitHub would not start it,
 * because a job requests a permission that the caller does not grant
 * (https://docs.github.com/en/actions/reference/workflows-and-actions/reusing-workflow-configurations)
 */
export function planJobs({ permissions: granted, call }: Caller, contexts: WorkflowContexts): PlannedJob[] {
  const called = readCalled(call.uses);
  for (const [name, { permissions }] of Object.entries(called.jobs)) {
    for (const [permission, level] of Object.entries(permissions)) {
      if (ranks[level] > ranks[granted[permission] ?? "none"]) {
        throw new Error(`The job ${name} requests ${permission}: ${level}, which the caller does not grant`);
      }
    }
  }
  const inner = { ...contexts, ...passed(call, called, contexts) };
  return Object.entries(called.jobs)
    .filter(([, job]) => evaluateCondition(job.if, inner))
    .map(([name, job]) => plannedJob(name, job, inner));
}

/** The `inputs` and `secrets` that the reusable workflow gets. */
function passed(call: Call, { on }: CalledWorkflow, contexts: Contexts) {
  const defaults = Object.entries(on.workflow_call.inputs).map(([name, input]) => [
    name,
    input.default ?? "",
  ]);
  return {
    inputs: { ...Object.fromEntries(defaults), ...evaluateAll(call.with, contexts) },
    secrets: evaluateAll(call.secrets, contexts),
  };
}

function evaluateAll(texts: Readonly<Record<string, string>>, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, evaluateText(text, contexts)]),
  );
}

function plannedJob(name: string, job: CalledWorkflow["jobs"][string], contexts: Contexts): PlannedJob {
  return {
    name,
    permissions: job.permissions,
    concurrency: {
      group: evaluateText(job.concurrency.group, contexts),
      cancelsInProgress: job.concurrency["cancel-in-progress"],
    },
    steps: job.steps
      .filter((step) => evaluateCondition(step.if, contexts))
      .map((step) => ({ uses: step.uses, inputs: evaluateAll(step.with, contexts) })),
  };
}
