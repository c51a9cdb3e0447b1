import { basename } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { wrongUses } from "./support/action-use.ts";
import { type Document, documents, workflowsIn } from "./support/documents.ts";
import { lintWorkflow } from "./support/lint-workflow.ts";
import { flowMapsIn, groupsIn, scriptsIn, stepsIn } from "./support/workflow-shape.ts";

const own = documents(".github/workflows/*.yml");
const ready = documents("docs/workflows/*.yml");
const shown = [...documents("*.md"), ...documents("*/README.md"), ...documents("docs/**/*.md")].flatMap(
  workflowsIn,
);

test("workflows are found", () => {
  expect(own.map(({ path }) => basename(path, ".yml"))).toEqual([
    ...["ci", "codeql", "dependabot-dist", "dependency-review", "deploy-agent", "long-tests", "release"],
    ...["scorecard"],
  ]);
  expect(ready.length).toBeGreaterThanOrEqual(10);
  expect(shown.length).toBeGreaterThanOrEqual(6);
});

const all = [...own, ...ready, ...shown];

/** The paths of the workflows that break a rule. */
function breaking(workflows: readonly Document[], isBroken: (content: string) => boolean): string[] {
  return workflows.filter(({ content }) => isBroken(content)).map(({ path }) => path);
}

test("every workflow passes both linters", async () => {
  const problems: string[] = [];
  for (const { path, content } of all) problems.push(...(await lintWorkflow(path, content)));

  expect(problems).toEqual([]);
});

test("every workflow uses inputs and outputs that the actions have", () => {
  expect(all.flatMap(wrongUses)).toEqual([]);
});

test("every workflow pins other actions to a commit", () => {
  const isPinned = (use = "") => /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use);
  const others = (content: string) => [...content.matchAll(/uses: +(?!OWNER\/REPO|\.\/)(.*)$/gm)];

  expect(all.flatMap(({ content }) => others(content)).length).toBeGreaterThan(20);
  expect(breaking(all, (content) => others(content).some(([, use]) => !isPinned(use)))).toEqual([]);
});

test("all workflows and examples pin an action to the same commit", () => {
  const uses = all.flatMap(({ content }) =>
    [...content.matchAll(/uses: +([\w.-]+\/[\w./-]+)@([0-9a-f]{40} # v[\d.]+)$/gm)].map(
      ([, action, pin]) => ({
        action,
        pin,
      }),
    ),
  );
  const pins = new Set(uses.map(({ action, pin }) => `${action}@${pin}`));

  expect(uses.length).toBeGreaterThan(20);
  expect(pins.size).toBe(new Set(uses.map(({ action }) => action)).size);
});

const copied = [...ready, ...own.filter(({ path }) => path.endsWith("/deploy-agent.yml"))];

test("every workflow to copy can be read without scrolling sideways, in block style", () => {
  const isWide = (content: string) => content.split("\n").some((line) => line.length > 100);

  expect(breaking(copied, isWide)).toEqual([]);
  expect(breaking(copied, (content) => flowMapsIn(content).length > 0)).toEqual([]);
});

test("every ready workflow says at its head which secrets and variables it needs, and where to add them", () => {
  const isSilent = (content: string) => {
    const uses = [...content.matchAll(/\b(vars|secrets)\.([A-Z]\w*)/g)].map(
      ([, context, name]) => `${context === "vars" ? "variable" : "secret"} ${name}`,
    );
    const [head = ""] = content.split(/^name:/m);
    const named = [...head.matchAll(/^# - (\w+ \w+): \S/gm)].map(([, setting]) => setting);
    const isComplete = named.toSorted().join() === [...new Set(uses)].toSorted().join();
    return !isComplete || !head.includes("Settings → Secrets and variables → Actions");
  };

  expect(breaking(ready, isSilent)).toEqual([]);
});

test("no workflow to copy leaves credentials in a checkout", () => {
  const count = (content: string, what: RegExp) => [...content.matchAll(what)].length;
  const leaves = (content: string) =>
    count(content, /^ {10}persist-credentials: false$/gm) !== count(content, /uses: actions\/checkout@/g);

  expect(breaking(copied, leaves)).toEqual([]);
});

test("no two ready workflows share a concurrency group, and none sets one for a whole workflow", () => {
  const groups = ready.flatMap(({ path, content }) =>
    groupsIn(content).map(({ group }) => ({ path, group: String(group).replaceAll(/\$\{\{.*?\}\}/gs, "*") })),
  );
  const seen = new Map(groups.map(({ path, group }) => [group, path]));

  expect(groups.length).toBeGreaterThanOrEqual(10);
  expect(groups.filter(({ path, group }) => seen.get(group) !== path)).toEqual([]);
  expect(ready.filter(({ content }) => /^concurrency:/m.test(content))).toEqual([]);
});

test("no job of a ready workflow has a group and waits for an approval", () => {
  const waiting = ready.flatMap(({ content }) => groupsIn(content)).map(({ environment }) => environment);

  // Only this environment is said to have reviewers.
  expect(waiting).not.toContain("production-approval");
});

test("every ready workflow names the type of each deployment that it creates", () => {
  const isUntyped = (content: string) =>
    stepsIn(content)
      .filter(({ uses }) => /^OWNER\/REPO(\/preview)?@v1$/.test(uses))
      .some(({ uses, with: { name, source, deployment_type: type } }) => {
        // An image on one's own cluster has none.
        if (source === "external_docker") return type !== undefined;
        const isSmall = uses === "OWNER/REPO/preview@v1" || name === "my-agent-staging";
        return !["dedicated", "prod"].includes(String(type)) && !(isSmall && type === "serverless");
      });

  expect(breaking(ready, isUntyped)).toEqual([]);
});

test("every workflow that runs sets its permissions, and a time limit for each job", () => {
  const isUnlimited = (content: string) =>
    content.match(/^ {4}timeout-minutes:/gm)?.length !== content.match(/runs-on:/g)?.length;

  expect(breaking([...own, ...ready], (content) => !/^permissions:/m.test(content))).toEqual([]);
  expect(breaking([...own, ...ready], isUnlimited)).toEqual([]);
});

test("no workflow has an expression in a script", () => {
  const hasExpression = (content: string) => scriptsIn(content).some((script) => script.includes("${{"));

  expect(breaking(all, hasExpression)).toEqual([]);
});

describe("the checks find", () => {
  const workflow = (step: string) => ({
    path: "example.yml",
    content: `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${step}`,
  });

  test.each([
    ["an unknown context", `      - run: echo \${{ vrs.X }}\n`, /vrs/],
    ["an unknown key", "      - run: echo\n        wth: {}\n", /wth/],
    ["an output of a step that does not exist", `      - run: echo \${{ steps.none.outputs.x }}\n`, /none/],
    ["text that is not YAML", "      - run: [\n", /./],
  ])("the checks find %s", async (_what, step, problem) => {
    const { path, content } = workflow(step);

    expect((await lintWorkflow(path, content)).join("\n")).toMatch(problem);
  });

  test("a mapping in braces, and no expression or empty mapping", () => {
    const content = `a: { b: c }\nd: {}\ne: \${{ github.ref }}\nf: [g]\n`;

    expect(flowMapsIn(content).map((map) => JSON.parse(map))).toEqual([{ b: "c" }]);
  });

  test("a script with an expression, and only that", () => {
    const { content } = workflow(`      - run: echo \${{ github.ref }}\n      - run: echo\n`);

    expect(scriptsIn(content)).toEqual([`echo \${{ github.ref }}`, "echo"]);
  });

  test("unknown inputs, missing inputs and unknown outputs of an action", () => {
    const step =
      "      - uses: OWNER/REPO/delete@v1\n        id: x\n        with: { control_plane_url: u, api_key: k, nme: n }\n";
    const use = `${step}      - run: echo \${{ steps.x.outputs.revision_id }}\n`;

    expect(wrongUses(workflow(use))).toEqual([
      "example.yml: OWNER/REPO/delete@v1 has no input nme",
      "example.yml: OWNER/REPO/delete@v1 needs the input workspace_id",
      "example.yml: OWNER/REPO/delete@v1 has no output revision_id",
    ]);
  });

  test("unknown inputs, missing inputs and unknown secrets of the reusable workflow", () => {
    const uses = "OWNER/REPO/.github/workflows/deploy-agent.yml@v1";
    const call = (name: string) => ({
      path: "example.yml",
      content: `on: push\njobs:\n  a:\n    uses: ${name}\n    with: { name: n, nme: n }\n    secrets: { key: k }\n`,
    });

    expect(wrongUses(call(uses))).toEqual([
      `example.yml: ${uses} has no input or secret nme`,
      `example.yml: ${uses} has no input or secret key`,
      `example.yml: ${uses} needs the input workspace_id`,
    ]);
    expect(wrongUses(call("OWNER/REPO/.github/workflows/other.yml@v1"))).toEqual([
      "example.yml: OWNER/REPO/.github/workflows/other.yml@v1 is no reusable workflow of this project",
    ]);
  });
});
