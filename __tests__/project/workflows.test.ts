import { describe, expect, test } from "@jest/globals";
import { usesOf, wrongUses } from "./support/action-use.ts";
import { documents, workflowsIn } from "./support/documents.ts";
import { lintWorkflow } from "./support/lint-workflow.ts";

const own = documents(".github/workflows/*.yml");
const ready = documents("docs/workflows/*.yml");
const shown = [...documents("*.md"), ...documents("*/README.md"), ...documents("docs/**/*.md")].flatMap(
  workflowsIn,
);

test("there is something to lint", () => {
  expect(own.map(({ path }) => path)).toEqual([".github/workflows/ci.yml", ".github/workflows/release.yml"]);
  expect(ready.length).toBeGreaterThanOrEqual(9);
  expect(shown.length).toBeGreaterThanOrEqual(6);
});

describe.each([...own, ...ready, ...shown])("$path", (workflow) => {
  test("is a workflow that neither linter complains about", async () => {
    expect(await lintWorkflow(workflow.path, workflow.content)).toEqual([]);
  });

  test("gives the actions the inputs they have, and reads the outputs they have", () => {
    expect(wrongUses(workflow)).toEqual([]);
  });

  test("pins other people's actions to a commit", () => {
    const others = [...workflow.content.matchAll(/uses: +(?!OWNER\/REPO|\.\/)(.*)$/gm)].map(([, use]) => use);
    for (const use of others) expect(use).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

describe.each([...own, ...ready])("$path", ({ content }) => {
  test("asks for its permissions and bounds its time", () => {
    expect(content).toMatch(/^permissions:/m);
    const jobs = content.match(/runs-on:/g)?.length;
    expect(content.match(/timeout-minutes:/g)?.length).toBe(jobs);
  });
});

test.each(ready)("$path uses one of the actions", (workflow) => {
  expect(usesOf(workflow)).toBeGreaterThanOrEqual(1);
});

describe("the checks can fail", () => {
  const workflow = (step: string) => ({
    path: "example.yml",
    content: `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${step}`,
  });

  test.each([
    ["an unknown context", `      - run: echo \${{ vrs.X }}\n`, /vrs/],
    ["an unknown key", "      - run: echo\n        wth: {}\n", /wth/],
    ["a step output of no step", `      - run: echo \${{ steps.none.outputs.x }}\n`, /none/],
    ["text that is no YAML", "      - run: [\n", /./],
  ])("on %s", async (_, step, complaint) => {
    const { path, content } = workflow(step);
    expect((await lintWorkflow(path, content)).join("\n")).toMatch(complaint);
  });

  test("on an input and an output that an action does not have, and on one that it needs", () => {
    const step =
      "      - uses: OWNER/REPO/delete@v1\n        id: x\n        with: { control_plane_url: u, api_key: k, nme: n }\n";
    const use = `${step}      - run: echo \${{ steps.x.outputs.revision_id }}\n`;
    expect(wrongUses(workflow(use))).toEqual([
      "example.yml: OWNER/REPO/delete@v1 has no input nme",
      "example.yml: OWNER/REPO/delete@v1 needs the input workspace_id",
      "example.yml: OWNER/REPO/delete@v1 has no output revision_id",
    ]);
  });
});
