/** A workflow for all tests of a file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "@jest/globals";
import * as v from "valibot";
import { parse } from "yaml";
import { root } from "../../../scripts/support/run.ts";
import type { WorkflowEvent } from "../../support/runner/step-environment.ts";
import { secrets } from "../values.ts";
import type { ActRun } from "./act.ts";
import { type RunOptions, startWorld, type World, type WorldOptions } from "./world.ts";

const Workflow = v.object({
  on: v.record(v.string(), v.nullable(v.object({ types: v.optional(v.array(v.string())) }))),
});

/** The text of a workflow of docs/workflows. */
export function readyWorkflow(name: string): string {
  return readFileSync(join(root, "docs/workflows", name), "utf8");
}

/** A workflow of docs/workflows. Its tests have to run every event that it has. */
export async function useReadyWorkflow(
  name: string,
  options: Pick<WorldOptions, "usage" | "others"> = {},
): Promise<World> {
  const workflow = readyWorkflow(name);
  const world = await useWorkflow({ ...options, name, workflow });
  const seen = new Set<string>();
  afterAll(() => {
    const missing = eventsOf(workflow).filter((event) => !seen.has(event));
    if (missing.length > 0) throw new Error(`No test runs ${name} on ${missing.join(", ")}`);
  });
  const noted = (event: WorkflowEvent, run?: RunOptions) => {
    if (run?.workflow !== undefined) return event;
    const { action } = v.parse(v.looseObject({ action: v.optional(v.string()) }), event.payload);
    seen.add(event.name).add(`${event.name} ${action}`);
    return event;
  };
  return {
    ...world,
    start: (event, options) => world.start(noted(event, options), options),
    run: (event, options) => world.run(noted(event, options), options),
  };
}

/** The events of a workflow. Types that are like others to every action are left out. */
function eventsOf(workflow: string): string[] {
  const { on } = v.parse(Workflow, parse(workflow));
  return Object.entries(on).flatMap(([name, event]) => {
    const types = event?.types?.filter((type) => type !== "reopened") ?? [];
    return types.length === 0 ? [name] : types.map((type) => `${name} ${type}`);
  });
}

/**
 * A workflow that is committed in a reader's repository. After the tests, no run has shown a secret, GitHub has got no
 * invalid request, and nothing else of the internet was requested.
 */
export async function useWorkflow(options: WorldOptions): Promise<World> {
  const world = await startWorld(options);
  const runs: Promise<ActRun>[] = [];
  const start: World["start"] = (event, runOptions?: RunOptions) => {
    const started = world.start(event, runOptions);
    runs.push(started.ended);
    return started;
  };
  afterAll(async () => {
    try {
      const seen = (await Promise.all(runs)).map(({ log, summary }) => `${log}\n${summary}`);
      const sent = world.github.requests.map(({ body }) => JSON.stringify(body));
      for (const secret of Object.values(secrets))
        expect([...seen, ...sent].join("\n")).not.toContain(secret);
      expect(world.github.violations).toEqual([]);
      expect(world.otherHosts()).toEqual([]);
    } finally {
      await world.close();
    }
  });
  return { ...world, start, run: (event, runOptions) => start(event, runOptions).ended };
}
