// The vendor's own client, unchanged, against the emulator: `langgraph deploy` from source and what belongs to it.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { unpackTar } from "modern-tar";
import { useEmulator } from "../../emulator/__tests__/support/emulator.ts";
import { runClient, useFolder } from "./support/vendor-client.ts";

const CONFIG = {
  node_version: "22",
  image_distro: "wolfi",
  graphs: { agent: "./src/agent.mjs:graph" },
  env: ".env",
};
const folder = await useFolder({
  "langgraph.json": JSON.stringify(CONFIG),
  "package.json": JSON.stringify({ name: "agent", type: "module" }),
  "src/agent.mjs": "export const graph = {};\n",
  "node_modules/left-out/index.js": "",
  ".gitignore": "*.log\n",
  "debug.log": "",
  ".env": "FIRST=one\nLOG_JSON=true\n",
});
const emulator = await useEmulator({ platform: "langsmith", statusSeconds: 0, now: Date.now });

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Runs `langgraph deploy` with these arguments. */
function client(args: readonly string[], variables: Record<string, string> = {}) {
  return runClient(folder, ["deploy", ...args, "--host-url", emulator.url], {
    LANGSMITH_API_KEY: emulator.apiKey,
    LANGSMITH_TENANT_ID: emulator.workspaceId,
    ...variables,
  });
}

function deploy(name: string, ...args: string[]) {
  return client(["--remote", "--no-input", "--config", "langgraph.json", "--name", name, ...args]);
}

function deploymentOf(name: string) {
  const found = emulator.deployments().find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no deployment ${name}`);
  return found;
}

/** Deploys and returns the deployment. */
async function deployed(name: string) {
  const { exitCode, stderr } = await deploy(name);
  if (exitCode !== 0) throw new Error(stderr);
  return deploymentOf(name);
}

test("deploy creates a deployment, uploads the folder and waits for the revision", async () => {
  const result = await deploy("new-agent", "--install-command", "npm ci", "--build-command", "npm run build");

  const { id, url, secrets, revisions, source_config, tenant_id } = deploymentOf("new-agent");
  expect(result).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining("Error") });
  for (const line of [
    "No deployment found. Will create.",
    `Deployment ID: ${id}`,
    "Uploading (0.0 MB)... 100%",
    `View status: ${emulator.url}/o/${tenant_id}/host/deployments/${id}`,
    "Deployment successful!",
    `URL: ${url}`,
  ]) {
    expect(result.stdout).toContain(line);
  }
  expect(secrets.map(({ name }) => name)).toEqual(["FIRST"]);
  expect(source_config).toMatchObject({ install_command: "npm ci", build_command: "npm run build" });
  expect(revisions).toMatchObject([
    { status: "DEPLOYED", source_revision_config: { langgraph_config_path: "langgraph.json" } },
  ]);
});

test("the uploaded archive has the files of the folder, without what its ignore file names", async () => {
  const { id, revisions } = await deployed("archived-agent");

  const path = String(revisions[0]?.source_revision_config.source_tarball_path);
  const entries = await unpackTar(gunzipSync(readFileSync(emulator.archiveOf(id, path) ?? "")));
  const files = entries.filter(({ header }) => header.type === "file").map(({ header }) => header.name);
  expect(files.sort()).toEqual([".env", ".gitignore", "langgraph.json", "package.json", "src/agent.mjs"]);
});

test("deploy updates a deployment that exists", async () => {
  const { id, latest_revision_id } = await deployed("updated-agent");

  const result = await deploy("updated-agent");

  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Deployment successful!") });
  expect(result.stdout).toContain(`Found existing deployment (ID: ${id})`);
  const { revisions } = deploymentOf("updated-agent");
  expect(revisions).toHaveLength(2);
  expect(revisions[1]?.id).toBe(latest_revision_id);
});

test("list and revisions list show what is there", async () => {
  await deployed("listed-agent");
  const { id, url, revisions } = await deployed("listed-agent");

  const list = await client(["list"]);
  const history = await client(["revisions", "list", id]);

  expect(list).toMatchObject({ exitCode: 0, stderr: "" });
  expect(tableIn(list.stdout)).toContainEqual([id, "listed-agent", url]);
  expect(history).toMatchObject({ exitCode: 0, stderr: "" });
  expect(tableIn(history.stdout)).toEqual([
    [revisions[0]?.id, "DEPLOYED", revisions[0]?.created_at],
    [revisions[1]?.id, "REPLACED", revisions[1]?.created_at],
  ]);
});

/** The rows of a table whose first cell is an id. */
function tableIn(text: string): string[][] {
  return text.split("\n").flatMap((line) => (UUID.test(line) ? [line.trim().split(/ {2,}/)] : []));
}

test("logs shows both logs, and filters them", async () => {
  emulator.addFault({ kind: "logs", type: "build", lines: ["one", "two"] });
  emulator.addFault({ kind: "logs", type: "deploy", lines: ["Starting", "The server is healthy"] });
  const { latest_revision_id: revision } = await deployed("logged-agent");

  const deployLog = await client(["logs", "--name", "logged-agent"]);
  const buildLog = await client(["logs", "--name", "logged-agent", "--type", "build", "--limit", "1"]);
  const found = await client(["logs", "--name", "logged-agent", "--query", "HEALTHY", "--level", "info"]);
  const none = await client(["logs", "--name", "logged-agent", "--end-time", "2020-01-01T00:00:00Z"]);

  expect(messagesIn(deployLog.stdout)).toEqual(["Starting", "The server is healthy"]);
  expect(buildLog.stdout).toContain(`Using latest revision: ${revision}`);
  expect(messagesIn(buildLog.stdout)).toEqual(["two"]);
  expect(messagesIn(found.stdout)).toEqual(["The server is healthy"]);
  expect(none.stdout).toContain("No log entries found.");
  expect([deployLog, buildLog, found, none].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
});

/** The messages of lines with a time and a level. */
function messagesIn(text: string): string[] {
  const lines = text.matchAll(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \[[A-Z]+\] (.*)$/gm);
  return [...lines].map(([, message = ""]) => message);
}

test("deploy --verbose prints each line of the build log once while it builds", async () => {
  emulator.addFault({
    kind: "statuses",
    sequence: [
      { status: "AWAITING_BUILD", seconds: 2 },
      { status: "BUILDING", seconds: 6 },
      { status: "DEPLOYED" },
    ],
  });

  const { exitCode, stdout } = await deploy("verbose-agent", "--verbose");

  expect(exitCode).toBe(0);
  expect(stdout.match(/Installing dependencies|Building the image/g)).toEqual([
    "Installing dependencies",
    "Building the image",
  ]);
});

test("a build that fails ends the client with 1, and shows the end of its log", async () => {
  const message = "No matching version found.";
  emulator.addFault({ kind: "statuses", sequence: [{ status: "BUILD_FAILED", message }] });

  const { exitCode, stdout, stderr } = await deploy("broken-agent");

  expect(exitCode).toBe(1);
  expect(stdout + stderr).toContain("Last build log lines:");
  expect(stdout + stderr).toContain(message);
});

test("delete deletes the deployment, whose name stays taken by its tracing project", async () => {
  const { id } = await deployed("deleted-agent");

  const result = await client(["delete", id, "--force"]);
  const again = await deploy("deleted-agent");

  expect(result).toMatchObject({ exitCode: 0, stdout: `Deleted deployment ${id}.\n` });
  expect(emulator.deployments().map(({ name }) => name)).not.toContain("deleted-agent");
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("already exists") });
});

test("without a workspace the client says which variable it needs", async () => {
  const result = await client(["--remote", "--no-input", "--name", "agent"], { LANGSMITH_TENANT_ID: "" });

  expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Set LANGSMITH_TENANT_ID") });
});
