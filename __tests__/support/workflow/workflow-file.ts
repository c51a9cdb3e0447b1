import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";

const Text = v.pipe(v.union([v.string(), v.boolean()]), v.transform(String));
const Values = v.optional(v.record(v.string(), Text), {});
const Permissions = v.record(v.string(), v.picklist(["none", "read", "write"]));

const CallerSchema = v.object({
  permissions: Permissions,
  jobs: v.record(v.string(), v.object({ uses: v.string(), with: Values, secrets: Values })),
});

const CalledSchema = v.object({
  on: v.object({
    workflow_call: v.object({
      inputs: v.record(
        v.string(),
        v.object({ required: v.optional(v.boolean(), false), default: v.optional(Text) }),
      ),
      secrets: v.record(v.string(), v.object({})),
      outputs: v.record(v.string(), v.object({ value: v.string() })),
    }),
  }),
  jobs: v.record(
    v.string(),
    v.object({
      if: v.string(),
      permissions: Permissions,
      concurrency: v.optional(v.object({ group: v.string(), "cancel-in-progress": v.boolean() })),
      outputs: Values,
      steps: v.array(
        v.object({
          if: v.optional(v.string()),
          uses: v.optional(v.string()),
          with: Values,
          run: v.optional(v.string()),
          env: Values,
        }),
      ),
    }),
  ),
});

export type CalledWorkflow = v.InferOutput<typeof CalledSchema>;
export type Call = v.InferOutput<typeof CallerSchema>["jobs"][string];

/** A workflow that calls a reusable one in its one job. */
export interface Caller {
  readonly permissions: v.InferOutput<typeof Permissions>;
  readonly call: Call;
}

const root = join(import.meta.dirname, "../../..");

function readYaml(path: string): unknown {
  return parse(readFileSync(join(root, path), "utf8"));
}

/** A caller in this repository. @throws if it has not exactly one job */
export function readCaller(path: string): Caller {
  const { permissions, jobs } = v.parse(CallerSchema, readYaml(path));
  const [call, ...others] = Object.values(jobs);
  if (call === undefined || others.length > 0) throw new Error(`${path} does not have exactly one job`);
  return { permissions, call };
}

/** A reusable workflow of this repository, by what a caller writes after `uses:`. */
export function readCalled(uses: string): CalledWorkflow {
  const path = /^OWNER\/REPO\/(\.github\/workflows\/[\w-]+\.yml)@v1$/.exec(uses)?.[1];
  if (path === undefined) throw new Error(`${uses} is no workflow of this repository`);
  return v.parse(CalledSchema, readYaml(path));
}
