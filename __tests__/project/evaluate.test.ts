// docs/workflows/evaluate.yml. `npm run test:workflows` runs it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { root } from "../../scripts/support/run.ts";
import { evaluateCondition } from "../support/workflow/evaluate.ts";

const { steps } = parse(readFileSync(join(root, "docs/workflows/evaluate.yml"), "utf8")).jobs.deploy;

test.each([
  ["the evaluation fails", "success", "failure", "r-1", "runs"],
  ["the run is cancelled during the evaluation", "success", "cancelled", "r-1", "runs"],
  ["the run is cancelled before the evaluation", "success", "skipped", "r-1", "runs"],
  ["a step after the evaluation fails", "success", "success", "r-1", "is skipped"],
  ["the deploy fails", "failure", "skipped", "r-1", "is skipped"],
  ["no revision was live before", "success", "failure", "", "is skipped"],
])(
  "if %s (deploy: %s, evaluation: %s, revision before: %j), the rollback of evaluate.yml %s",
  (_when, deploy, evaluate, previous_revision_id, what) => {
    const rollback = steps.find(({ id }: { id?: string }) => id === "rollback");
    const contexts = {
      steps: {
        deploy: { outcome: deploy, outputs: { previous_revision_id } },
        evaluate: { outcome: evaluate },
      },
    };

    expect(evaluateCondition(rollback.if, contexts, { hasSucceeded: false })).toBe(what === "runs");
  },
);

test("docs/evaluate.md shows the steps of evaluate.yml but the last", () => {
  const page = readFileSync(join(root, "docs/evaluate.md"), "utf8");
  const shown = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = ""]) => parse(yaml));

  expect(shown).toContainEqual(steps.slice(0, -1));
});
