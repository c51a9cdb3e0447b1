/** How a workflow is written, and what its jobs have. */
import * as v from "valibot";
import { parse, parseDocument, visit } from "yaml";

const Step = v.object({
  uses: v.optional(v.string(), ""),
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
});

function jobsOf(content: string) {
  return Object.values(v.parse(v.object({ jobs: v.record(v.string(), Job) }), parse(content)).jobs);
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

export function stepsIn(content: string): v.InferOutput<typeof Step>[] {
  return jobsOf(content).flatMap(({ steps }) => steps);
}
