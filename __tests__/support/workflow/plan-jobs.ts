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
  readonly concurrency: { readonly group: string; readonly cancelsInProgress: boolean } | undefined;
  /** Its steps whose `if:` holds and which use an action, with these inputs. */
  readonly steps: readonly PlannedStep[];
  /** Its other steps whose `if:` holds. */
  readonly scripts: readonly PlannedScript[];
}

interface PlannedStep {
  readonly uses: string;
  readonly inputs: Readonly<Record<string, string>>;
}

interface PlannedScript {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
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
  // A job needs only jobs that stand before it in the file.
  const needs: Record<string, { result: "success" | "skipped" }> = {};
  const planned: PlannedJob[] = [];
  for (const [name, job] of Object.entries(called.jobs)) {
    const runs = evaluateCondition(job.if, { ...inner, needs });
    needs[name] = { result: runs ? "success" : "skipped" };
    if (runs) planned.push(plannedJob(name, job, inner));
  }
  return planned;
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
  const { concurrency, permissions } = job;
  const steps = job.steps.filter((step) => evaluateCondition(step.if, contexts));
  return {
    name,
    permissions,
    concurrency: concurrency && {
      group: evaluateText(concurrency.group, contexts),
      cancelsInProgress: concurrency["cancel-in-progress"],
    },
    steps: steps.flatMap(({ uses, with: inputs }) =>
      uses === undefined ? [] : [{ uses, inputs: evaluateAll(inputs, contexts) }],
    ),
    scripts: steps.flatMap(({ run, env }) =>
      run === undefined ? [] : [{ run, env: evaluateAll(env, contexts) }],
    ),
  };
}
