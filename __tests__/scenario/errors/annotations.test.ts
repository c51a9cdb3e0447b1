import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { defaultCreate, type Inputs, startScenario } from "../../support/scenario.ts";
import { gitIn, plainConfig, type Tree } from "../../support/source-tree.ts";
import { useWorkspace } from "../upload/support.ts";

const workspace = useWorkspace();
const failing = { platform: "langsmith", failRefs: { main: "BUILD_FAILED" }, statusSeconds: 0 } as const;
const upload: Inputs = { source_path: "." };

/** Has git track these files and the configuration file. */
function track(tree: Tree): void {
  workspace.write(tree);
  gitIn(workspace.path, "init", "--quiet");
  gitIn(workspace.path, "add", ".");
}

/** The annotations of a deploy of `main` whose build prints these lines and fails. */
async function annotationsOf(
  lines: readonly string[],
  { inputs = {}, stage = "build" }: { inputs?: Inputs; stage?: "build" | "deploy" } = {},
) {
  const { deploy, emulator } = await startScenario(failing);
  emulator.addFault({ kind: "statuses", sequence: [{ status: `${stage.toUpperCase()}_FAILED` }] });
  emulator.addFault({ kind: "logs", type: stage, lines: [...lines] });
  const run = await deploy(inputs, workspace.env);
  expect(run.outputs.outcome).toBe("failed");
  return run.annotations;
}

describe("the annotation of a failed run has a title", () => {
  const smoke_tests = "[{ name: one, request: GET /1 }, { name: two, request: GET /2 }]";

  test.each<[string, Inputs, NonNullable<EmulatorOptions["failRefs"]>, string]>([
    ["what failed", {}, { main: "BUILD_FAILED" }, "Deploy agent: build failed"],
    ["the check that failed, once if several did", { smoke_tests }, {}, "Deploy agent: smoke test failed"],
    ["the outcome", { timeout_seconds: "5" }, { main: "BUILDING" }, "Deploy agent: timed out"],
    ["no key", { name: "a-local-api-key" }, { main: "BUILD_FAILED" }, "Deploy a-***: build failed"],
    ["a wrong input", { wait: "x" }, {}, "Input wait"],
  ])("with %s in it", async (_what, inputs, failRefs, title) => {
    const { deploy } = await startScenario({ platform: "langsmith", failRefs });

    expect((await deploy(inputs)).annotations).toEqual([{ title }]);
  });

  test("of a missing name, which leaves no row in the summary", async () => {
    const { deploy } = await startScenario();

    const { annotations, errors, summary } = await deploy({ name: "" });

    expect(annotations).toEqual([{ title: "Input name" }]);
    expect(errors).toEqual([expect.stringContaining("Input name or deployment_id must be set.")]);
    expect(summary).not.toContain("| Deployment |");
  });

  test("of the preview", async () => {
    const { open, preview } = await startScenario({
      failRefs: { "feature-7": "BUILD_FAILED" },
      statusSeconds: 0,
    });
    open();

    const { annotations } = await preview("opened");

    expect(annotations).toEqual([{ title: "Preview octo-repo-7739a-pr-7: build failed" }]);
  });

  test("of the input, for each that is invalid", async () => {
    const { deploy } = await startScenario();

    const { annotations, errors } = await deploy({ wait: "x", api_key: "" });

    expect(annotations).toEqual([{ title: "Input api_key" }, { title: "Input wait" }]);
    expect(errors).toEqual([
      expect.stringContaining(
        "is missing or empty. What to do next: Set what is missing in the step's with:",
      ),
      expect.stringMatching(/^Input wait ((?!Correct).)*\.$/),
    ]);
  });

  test("of an action without a deployment", async () => {
    const { start } = await startScenario();

    const { annotations } = await start("sweep", { inputs: { github_token: "" } }).ended;

    expect(annotations).toEqual([{ title: "Input github_token" }]);
  });
});

describe("the annotation of the configuration file", () => {
  const { source_revision_config: config } = defaultCreate;

  test("that does not exist in the repository has its path", async () => {
    const { run } = await startScenario({ statusSeconds: 5, github: { files: {} } });

    const { annotations } = await run("deploy", { inputs: { name: "agent" } });

    expect(annotations).toEqual([{ title: "Input app_config_path", file: config.app_config_path }]);
  });

  test("that is not in the folder to upload has its path in the workspace", async () => {
    workspace.write({ "agents/one/agent.py": "" });
    const { deploy } = await startScenario({ platform: "langsmith" });

    const inputs = { source_path: "agents/one", app_config_path: "conf.json" };
    const run = await deploy(inputs, workspace.env);

    expect(run.annotations).toEqual([{ title: "Input app_config_path", file: "agents/one/conf.json" }]);
  });

  test.each([
    ["no JSON", '{\n  "graphs": {}\n  "env": ".env"\n}', 3],
    ["no JSON because of a word", '{\n  "env": {},\n  "graphs": None\n}', 3],
    ["JSON that ends too early", '{ "graphs":', 1],
    ["empty", "", 1],
    ["a list", "[]", undefined],
  ])("that is %s has its path and line, and nothing is sent", async (_what, content, startLine) => {
    workspace.write({ "langgraph.json": content });
    const { deploy, emulator } = await startScenario({ platform: "langsmith" });

    const run = await deploy(upload, workspace.env);

    const place = { file: "langgraph.json", ...(startLine && { startLine }) };
    expect(run.annotations).toEqual([{ title: "Input app_config_path", ...place }]);
    expect(run.errors).toEqual([expect.stringContaining("langgraph.json is not a JSON object")]);
    expect(emulator.requests).toEqual([]);
  });
});

describe("the annotation of a failed build", () => {
  const title = "Deploy agent: build failed";

  test("has the place in the uploaded folder that the log names before the error", async () => {
    workspace.write({ "app/langgraph.json": plainConfig, "app/src/agent.py": "", "other.py": "" });
    const lines = [
      'Traceback (most recent call last):\n  File "/usr/lib/python3/site.py", line 3\n  File "other.py", line 6',
      "  File \"/deps/app/src/agent.py\", line 12, in <module>\nNameError: name 'agent' is not defined",
    ];

    const annotations = await annotationsOf(lines, { inputs: { source_path: "app" } });

    expect(annotations).toEqual([{ title, file: "app/src/agent.py", startLine: 12 }]);
  });

  test("has the place that the log of a failed deploy names", async () => {
    workspace.write({ "src/agent.py": "" });

    const annotations = await annotationsOf(["src/agent.py:7: error"], { inputs: upload, stage: "deploy" });

    expect(annotations).toEqual([
      { title: "Deploy agent: deploy failed", file: "src/agent.py", startLine: 7 },
    ]);
  });

  test.each<[string, Inputs]>([
    ["the repository is deployed", {}],
    ["the log is not read", { ...upload, build_log: "off" }],
  ])("has no place if %s", async (_what, inputs) => {
    track({ "src/agent.py": "" });

    const annotations = await annotationsOf(["src/agent.py:7: error"], { inputs });

    expect(annotations).toEqual([{ title }]);
  });

  test("has no place whose path holds a secret", async () => {
    workspace.write({ "src/local-api-key.py": "" });

    const annotations = await annotationsOf(["src/local-api-key.py:7: error"], { inputs: upload });

    expect(annotations).toEqual([{ title }]);
  });
});
