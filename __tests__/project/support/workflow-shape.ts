/** How a workflow is written, and what its jobs have. */
import * as v from "valibot";
import { parse, parseDocument, visit } from "yaml";

const Step = v.object({
  id: v.optional(v.string()),
  uses: v.optional(v.string(), ""),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
});

const Environment = v.union([
  v.string(),
  v.pipe(
    v.object({ name: v.string() }),
    v.transform(({ name }) => name),
  ),
]);

const Job = v.object({
  steps: v.optional(v.array(Step), []),
  environment: v.optional(Environment),
  concurrency: v.optional(v.object({ group: v.string() })),
  /** Of a job that calls a reusable workflow. */
  uses: v.optional(v.string(), ""),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
  secrets: v.optional(v.record(v.string(), v.string()), {}),
});

export type Step = v.InferOutput<typeof Step>;
export type Job = v.InferOutput<typeof Job>;

export function jobsOf(content: string): Job[] {
  return Object.values(v.parse(v.object({ jobs: v.record(v.string(), Job) }), parse(content)).jobs);
}

export function stepsIn(content: string): Step[] {
  return jobsOf(content).flatMap(({ steps }) => steps);
}

/** The `run:` scripts of a workflow. */
export function scriptsIn(content: string): string[] {
  return stepsIn(content).flatMap(({ run }) => run ?? []);
}

/** The mappings in braces, other than `{}`. */
export function flowMapsIn(content: string): string[] {
  const found: string[] = [];
  visit(parseDocument(content), {
    Map(_key, node) {
      if (node.flow && node.items.length > 0) found.push(String(node));
    },
  });
  return found;
}

/** The concurrency group of each job that has one, and its environment. */
export function groupsIn(content: string) {
  return jobsOf(content).flatMap(({ concurrency, environment }) =>
    concurrency ? [{ group: concurrency.group, environment }] : [],
  );
}
