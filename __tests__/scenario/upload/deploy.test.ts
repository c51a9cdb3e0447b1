import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  type Inputs,
  immediate,
  requestLines,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { gitIn, plainConfig } from "../../support/source-tree.ts";
import { deployedFiles, digestOfDeployed, useWorkspace } from "./support.ts";

const workspace = useWorkspace();
const platform = { platform: "langsmith" } as const;
const upload: Inputs = { source_path: "." };

/** Requests without ids and tokens. */
function shortLines(requests: Parameters<typeof requestLines>[0]): string[] {
  return requestLines(requests).map((line) => line.replaceAll(/[0-9a-f-]{36}/g, "ID"));
}

test("platform, key, workspace, name and source_path are enough to create a deployment of the checkout", async () => {
  workspace.write({ "src/agent.py": "agent", ".gitignore": "*.log", "x.log": "", "node_modules/a": "" });
  const { deploy, emulator, stored } = await startScenario(platform);

  const run = await deploy(upload, workspace.env);

  expect(run.outputs).toMatchObject({
    outcome: "deployed",
    created: "true",
    revision_id: stored().revisions[0]?.id,
    source_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
  expect(shortLines(writes(run.requests))).toEqual([
    "POST /v2/deployments 201",
    "POST /v2/deployments/ID/upload-url 200",
    "PUT /uploads/ID 200",
    "PATCH /v2/deployments/ID 200",
  ]);
  const [create, , put, update] = writes(run.requests);
  expect(create?.body).toEqual({
    name: "agent",
    source: "internal_source",
    source_config: {
      integration_id: null,
      repo_url: null,
      deployment_type: "dev",
      custom_url: null,
      resource_spec: null,
    },
    source_revision_config: { repo_ref: null, langgraph_config_path: "langgraph.json", image_uri: null },
    secrets: [],
  });
  expect(put?.headers).not.toHaveProperty("x-api-key");
  expect(put?.headers).not.toHaveProperty("x-tenant-id");
  expect(update?.body).toEqual({
    revision_source: "internal_source",
    source_revision_config: {
      langgraph_config_path: "langgraph.json",
      source_tarball_path: expect.stringMatching(/\.tar\.gz$/),
    },
  });
  expect(await deployedFiles(emulator, stored())).toEqual([[".gitignore", "langgraph.json", "src/agent.py"]]);
  expect(run.summary).toContain(run.outputs.source_digest);
  expect(run.infos).toContainEqual(expect.stringMatching(/^Packed 3 files, .*sha256:/));
});

test("an archive of several parts arrives as it was packed", async () => {
  const content = randomBytes(6_000_000).toString("base64");
  workspace.write({ "model.txt": content });
  const { deploy, emulator, stored } = await startScenario(platform);

  const run = await deploy(upload, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  expect(digestOfDeployed(emulator, stored())).toBe(run.outputs.source_digest);
});

test("an update uploads and sends commands and secrets, and only what may change", async () => {
  const { deploy, emulator, stored } = await startScenario(platform);
  const first = await deploy({ ...upload, deployment_type: "prod" }, workspace.env);
  workspace.write({ "more.py": "" });

  const run = await deploy(
    {
      ...upload,
      deployment_type: "prod",
      install_command: "npm ci",
      build_command: "make",
      secrets: "TOKEN=some-value",
    },
    workspace.env,
  );

  expect(run.outputs).toMatchObject({
    outcome: "deployed",
    created: "false",
    previous_revision_id: first.outputs.revision_id,
  });
  expect(run.outputs.source_digest).not.toBe(first.outputs.source_digest);
  expect(writes(run.requests).at(-1)?.body).toEqual({
    revision_source: "internal_source",
    source_config: { install_command: "npm ci", build_command: "make" },
    source_revision_config: expect.any(Object),
    secrets: [{ name: "TOKEN", value: "some-value" }],
  });
  expect(await deployedFiles(emulator, stored())).toEqual([
    ["langgraph.json", "more.py"],
    ["langgraph.json"],
  ]);
});

test("a folder of the checkout is deployed by a path in it", async () => {
  workspace.write({
    "agents/one/conf/app.json": plainConfig,
  });
  const { deploy, emulator, stored } = await startScenario(platform);

  const run = await deploy({ source_path: "agents/one", app_config_path: "/conf/app.json" }, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos).toContainEqual(expect.stringMatching(/^Packed 1 file, /));
  expect(await deployedFiles(emulator, stored())).toEqual([["conf/app.json"]]);
  expect(writes(run.requests).at(-1)?.body).toMatchObject({
    source_revision_config: { langgraph_config_path: "conf/app.json" },
  });
});

test("a run that is cancelled while git hangs ends at once, and sends nothing", async () => {
  const { PATH } = process.env;
  const script = `#!/bin/sh\n: > ${join(workspace.path, "started")}\nexec sleep 600`;
  workspace.write({ "bin/git": { content: script, mode: 0o755 } });
  process.env.PATH = `${workspace.path}/bin:${PATH}`;
  try {
    const { startDeploy } = await startScenario(platform);

    const started = startDeploy(upload, workspace.env);
    while (!existsSync(join(workspace.path, "started"))) await delay(10);
    started.cancel();
    const run = await started.ended;

    expect(run.outputs.outcome).toBe("cancelled");
    expect(run.requests).toEqual([]);
  } finally {
    process.env.PATH = PATH;
  }
}, 10_000);

test("a dry run shows what is in the archive, and sends nothing that changes anything", async () => {
  workspace.write(
    Object.fromEntries("abcdef".split("").map((name, index) => [name, "x".repeat(2000 - index)])),
  );
  const { deploy } = await startScenario(platform);

  const run = await deploy({ ...upload, dry_run: "true", build_command: "make" }, workspace.env);

  expect(run.log).toContain('"build_command": "make"');
  expect(run.outputs).toMatchObject({ outcome: "planned", source_digest: expect.stringMatching(/^sha256:/) });
  expect(writes(run.requests)).toEqual([]);
  expect(run.log).toContain(`Archive to upload: 7 files, `);
  expect(run.log).toMatch(/Largest files:\n.* a\n.* b\n.* c\n.* d\n.* e\n/);
});

describe("nothing is sent", () => {
  test.each<[string, Inputs, (string | RegExp)[]]>([
    ["for a folder that is missing", { source_path: "missing" }, ["Input source_path must be", '"missing"']],
    ["for an empty folder", { source_path: "empty" }, ['"empty" has none to upload', "actions/checkout"]],
    ["for a folder that is ignored", { source_path: "dist" }, ['"dist" has none to upload', "ignore rules"]],
    ["for a file", { source_path: "langgraph.json" }, ["source_path", '"langgraph.json"']],
    ["for several folders", { source_path: "agents/*" }, ["without wildcards"]],
    ["for a path of another machine", { source_path: "/github/workspace" }, ["relative to the workspace"]],
    ["for a folder outside of the workspace", { source_path: ".." }, ["source_path", "workspace"]],
    ["for a link that leads out of the workspace", { source_path: "out" }, ["source_path", "workspace"]],
    [
      "if the configuration file is missing",
      { ...upload, app_config_path: "a.json" },
      ["app_config_path", '"a.json"'],
    ],
    [
      "if the configuration file is ignored",
      { ...upload, app_config_path: "b.json" },
      ["app_config_path", '"b.json"'],
    ],
    ["to another platform", { ...upload, platform: "standard" }, ["source_path", "platform"]],
  ])("an upload is refused %s", async (_what, inputs, facts) => {
    workspace.write({ ".gitignore": "b.json\ndist/", "b.json": "{}", "dist/a": "" });
    mkdirSync(join(workspace.path, "empty"));
    symlinkSync("/", join(workspace.path, "out"));
    const { deploy } = await startScenario(platform);

    const run = await deploy(inputs, workspace.env);

    expect(run.requests).toEqual([]);
    expectError(run, ...facts.map(String));
  });

  test.each([
    ["for .git", ".git", "in the workspace and not in .git"],
    ["for a folder in .git", ".git/refs", "in the workspace and not in .git"],
  ])("an upload of a checkout is refused %s", async (_what, source_path, fact) => {
    gitIn(workspace.path, "init", "--quiet");
    const { deploy } = await startScenario(platform);

    const run = await deploy({ source_path }, workspace.env);

    expect(run.requests).toEqual([]);
    expectError(run, "source_path", fact);
  });

  test("if git cannot read the checkout, with its words", async () => {
    workspace.write({ ".git": "gitdir: /nowhere" });
    const { deploy } = await startScenario(platform);

    const run = await deploy(upload, workspace.env);

    expect(run.requests).toEqual([]);
    expectError(
      run,
      "Git could not read the checkout",
      '"not a git repository: /nowhere".',
      "Check that the checkout is complete",
    );
  });

  test("for a folder that is missing, if the action runs in the workspace", async () => {
    const { deploy } = await startScenario(platform);

    const run = await deploy({ source_path: "missing" }, { GITHUB_WORKSPACE: process.cwd() });

    expect(run.requests).toEqual([]);
    expectError(run, "Input source_path must be", '"missing"');
  });

  test("if a file cannot be read, with the words of the file system", async () => {
    workspace.write({ "data/a.txt": "" });
    gitIn(workspace.path, "init", "--quiet");
    gitIn(workspace.path, "add", ".");
    rmSync(join(workspace.path, "data"), { recursive: true });
    symlinkSync("data", join(workspace.path, "data"));
    const { deploy } = await startScenario(platform);

    const run = await deploy(upload, workspace.env);

    expect(run.requests).toEqual([]);
    expectError(
      run,
      'Could not pack the files of source_path: "ELOOP: ',
      "Check that this job may read the files",
    );
  });

  test("if there is no git on the machine", async () => {
    const { PATH } = process.env;
    process.env.PATH = workspace.path;
    try {
      const { deploy } = await startScenario(platform);

      const run = await deploy(upload, workspace.env);

      expect(run.requests).toEqual([]);
      expectError(run, "source_path needs git", "Install git");
    } finally {
      process.env.PATH = PATH;
    }
  });
});

test.each(["name", "deployment_id"])(
  "a deployment of another source, given by %s, is an error that says that a source can't change",
  async (input) => {
    const { deploy, existing } = await startScenario(platform);
    const { id } = await existing();

    const run = await deploy({ ...upload, [input]: input === "name" ? "agent" : id }, workspace.env);

    expect(writes(run.requests)).toEqual([]);
    expectError(run, "source_path", '"github"', "can't change");
  },
);

test.each<[string, Inputs]>([
  ["without source_path", { source_path: "" }],
  ["in a dry run", { source_path: "", dry_run: "true" }],
])("a deployment that was uploaded is not updated %s", async (_what, inputs) => {
  const { deploy, stored } = await startScenario(platform);
  await deploy(upload, workspace.env);

  const run = await deploy(inputs, workspace.env);

  expect(writes(run.requests)).toEqual([]);
  expectError(run, "Input source_path is required", '"internal_source"');
  expect(stored().revisions).toHaveLength(1);
});

describe("if the upload fails", () => {
  const broken: FaultRule = answer("PUT", 503, { times: "always" });

  test("after the deployment was created, the error says what is left, and the next run updates that", async () => {
    const { deploy, emulator, stored } = await startScenario(platform);
    const repair = emulator.addFault(broken);

    const failed = await deploy(upload, workspace.env);
    repair();
    const next = await deploy(upload, workspace.env);

    expect(stored().revisions).toHaveLength(1);
    expectError(failed, "The upload of the archive failed with 503", "The creation of agent succeeded.");
    expect(failed.outputs).toMatchObject({ outcome: "failed", deployment_id: stored().id, created: "true" });
    expect(next.outputs).toMatchObject({ outcome: "deployed", created: "false" });
  });

  test("or if the update after it is refused, the error says that the deployment is left", async () => {
    const { deploy, emulator } = await startScenario(platform);
    emulator.addFault(answer("PATCH", 400, { body: { detail: "No" } }));

    const run = await deploy(upload, workspace.env);

    expectError(run, "failed with 400", "The creation of agent succeeded.");
  });

  test("of an update, the deployment stays as it is", async () => {
    const { deploy, emulator, stored } = await startScenario(platform);
    await deploy(upload, workspace.env);
    emulator.addFault(broken);

    const run = await deploy(upload, workspace.env);

    expectError(run, "The upload of the archive failed with 503");
    expect(run.log).not.toContain("no revision yet");
    expect(stored().revisions).toHaveLength(1);
  });
});

test("an address that expired is replaced, and no address is in anything that leaves the run", async () => {
  const { startDeploy, emulator } = await startScenario(platform);
  emulator.addFault(answer("PUT", 400, { body: "The address expired." }));
  const started = startDeploy(upload, workspace.env);

  const run = await started.ended;

  expect(run.outputs.outcome).toBe("deployed");
  const tokens = run.requests
    .filter(({ method }) => method === "PUT")
    .flatMap(({ query }) => query.token ?? []);
  expect(new Set(tokens).size).toBe(2);
  const { masks: _, ...left } = started.context.recorded;
  for (const token of tokens) {
    expect(run.masks).toContain(token);
    expect(JSON.stringify(left)).not.toContain(token);
  }
});

test("an update whose response is lost is not repeated, and its revision is found by the archive", async () => {
  const { deploy, emulator, stored } = await startScenario(platform);
  await deploy(upload, workspace.env);
  emulator.addFault({ kind: "reset", match: { method: "PATCH" }, applied: true });

  const run = await deploy(upload, workspace.env);

  expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().revisions[0]?.id });
  expect(stored().revisions).toHaveLength(2);
});

test.each<Inputs>([{}, { wait: "false" }])(
  "reads are retried after an upload that took longer than timeout_seconds (%j)",
  async (inputs) => {
    const { deploy, emulator, pass } = await startScenario({ ...platform, ...immediate });
    await deploy(upload, workspace.env);
    await pass(60);
    emulator.addFault(answer("PUT", 503, { headers: { "retry-after": "20" } }));
    emulator.addFault(answer("GET /revisions$", 503));
    emulator.addFault(answer("GET /revisions/", 503));

    const run = await deploy({ ...upload, timeout_seconds: "10", ...inputs }, workspace.env);

    expect(run.succeeded).toBe(true);
    expect(run.took).toBeGreaterThan(20);
  },
);

test("nothing is uploaded to a deployment of the name that is being deleted", async () => {
  const { deleting, deploy, emulator } = await startScenario({ ...platform, statusSeconds: 0 });
  await deleting(130);
  emulator.addFault(answer("GET ^/v2/deployments$", 200, { body: { resources: [], offset: 0 } }));

  const run = await deploy(upload, workspace.env);

  expectError(run, "is being deleted, so nothing can be deployed to it");
  expect(requestLines(writes(run.requests))).toEqual(["POST /v2/deployments 409"]);
});
