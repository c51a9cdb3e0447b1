// The vendor's own clients, unchanged, against the emulator: `langgraph deploy` from source and what belongs to it.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { unpackTar } from "modern-tar";
import { useEmulator } from "../../emulator/__tests__/support/emulator.ts";
import { runClient, useFolder, vendorClients } from "./support/vendor-client.ts";

const files = {
  "node_modules/left-out/index.js": "",
  ".gitignore": "*.log\n",
  "debug.log": "",
  ".env": "FIRST=one\nLOG_JSON=true\n",
};
const javascript = {
  "langgraph.json": JSON.stringify({
    node_version: "22",
    image_distro: "wolfi",
    graphs: { agent: "./src/agent.mjs:graph" },
    env: ".env",
  }),
  "package.json": JSON.stringify({ name: "agent", type: "module" }),
  "src/agent.mjs": "export const graph = {};\n",
};
const python = {
  "langgraph.json": JSON.stringify({
    python_version: "3.11",
    image_distro: "wolfi",
    dependencies: ["."],
    graphs: { agent: "./agent.py:graph" },
    env: ".env",
  }),
  "requirements.txt": "",
  "agent.py": "graph = {}\n",
};
const clients = [
  { language: "Python", program: vendorClients.python, sources: python, commands: [] },
  {
    language: "JavaScript",
    program: vendorClients.javascript,
    sources: javascript,
    commands: ["--install-command", "npm ci", "--build-command", "npm run build"],
  },
];
const emulator = await useEmulator({ platform: "langsmith", statusSeconds: 0, now: Date.now });

const LISTENER = "33333333-3333-4333-8333-333333333333";
const hybrid = await useEmulator({
  platform: "langsmith",
  statusSeconds: 0,
  now: Date.now,
  listeners: [{ id: LISTENER, namespaces: ["staging", "production"] }],
});

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

function deploymentOf(name: string) {
  const found = emulator.deployments().find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no deployment ${name}`);
  return found;
}

/** The rows of a table whose first cell is an id. */
function tableIn(text: string): string[][] {
  return text.split("\n").flatMap((line) => (UUID.test(line) ? [line.trim().split(/ {2,}/)] : []));
}

/** The messages of lines with a time and a level. */
function messagesIn(text: string): string[] {
  const lines = text.matchAll(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \[[A-Z]+\] (.*)$/gm);
  return [...lines].map(([, message = ""]) => message);
}

describe.each(clients)("the client in $language", ({ language, program, sources, commands }) => {
  const prefix = language.toLowerCase();
  const folder = useFolder({ ...files, ...sources });

  /** Runs `langgraph deploy` with these arguments. */
  function client(args: readonly string[], variables: Record<string, string> = {}) {
    return runClient(program, folder(), ["deploy", ...args, "--host-url", emulator.url], {
      LANGSMITH_API_KEY: emulator.apiKey,
      LANGSMITH_TENANT_ID: emulator.workspaceId,
      ...variables,
    });
  }

  function deploy(name: string, ...args: string[]) {
    return client(["--remote", "--no-input", "--config", "langgraph.json", "--name", name, ...args]);
  }

  /** Deploys and returns the deployment. */
  async function deployed(name: string) {
    const { exitCode, stderr } = await deploy(name);
    if (exitCode !== 0) throw new Error(stderr);
    return deploymentOf(name);
  }

  test("deploy creates a deployment, uploads the folder and waits for the revision", async () => {
    const result = await deploy(`${prefix}-new`, ...commands);

    const { id, url, secrets, revisions, source_config, tenant_id } = deploymentOf(`${prefix}-new`);
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
    const [install_command, build_command] = commands.length > 0 ? ["npm ci", "npm run build"] : [null, null];
    expect(source_config).toMatchObject({ install_command, build_command });
    expect(revisions).toMatchObject([
      { status: "DEPLOYED", source_revision_config: { langgraph_config_path: "langgraph.json" } },
    ]);
  });

  test("the uploaded archive has the files of the folder, without what its ignore file names", async () => {
    const { id, revisions } = await deployed(`${prefix}-archived`);

    const path = String(revisions[0]?.source_revision_config.source_tarball_path);
    const entries = await unpackTar(gunzipSync(readFileSync(emulator.archiveOf(id, path) ?? "")));
    const names = entries.filter(({ header }) => header.type === "file").map(({ header }) => header.name);
    expect(names.sort()).toEqual([".env", ".gitignore", ...Object.keys(sources)].sort());
  });

  test("deploy updates a deployment that exists", async () => {
    const { id, latest_revision_id } = await deployed(`${prefix}-updated`);

    const result = await deploy(`${prefix}-updated`);

    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Deployment successful!") });
    expect(result.stdout).toContain(`Found existing deployment (ID: ${id})`);
    const { revisions } = deploymentOf(`${prefix}-updated`);
    expect(revisions).toHaveLength(2);
    expect(revisions[1]?.id).toBe(latest_revision_id);
  });

  test("list and revisions list show what is there", async () => {
    await deployed(`${prefix}-listed`);
    const { id, url, revisions } = await deployed(`${prefix}-listed`);

    const list = await client(["list"]);
    const history = await client(["revisions", "list", id]);

    expect(list).toMatchObject({ exitCode: 0, stderr: "" });
    expect(tableIn(list.stdout)).toContainEqual([id, `${prefix}-listed`, url]);
    expect(history).toMatchObject({ exitCode: 0, stderr: "" });
    expect(tableIn(history.stdout)).toEqual([
      [revisions[0]?.id, "DEPLOYED", revisions[0]?.created_at],
      [revisions[1]?.id, "REPLACED", revisions[1]?.created_at],
    ]);
  });

  test("logs shows both logs, and filters them", async () => {
    emulator.addFault({ kind: "logs", type: "build", lines: ["one", "two"] });
    emulator.addFault({ kind: "logs", type: "deploy", lines: ["Starting", "The server is healthy"] });
    const { latest_revision_id: revision } = await deployed(`${prefix}-logged`);

    const deployLog = await client(["logs", "--name", `${prefix}-logged`]);
    const buildLog = await client(["logs", "--name", `${prefix}-logged`, "--type", "build", "--limit", "1"]);
    const found = await client([
      "logs",
      "--name",
      `${prefix}-logged`,
      "--query",
      "HEALTHY",
      "--level",
      "info",
    ]);
    const none = await client(["logs", "--name", `${prefix}-logged`, "--end-time", "2020-01-01T00:00:00Z"]);

    expect(messagesIn(deployLog.stdout)).toEqual(["Starting", "The server is healthy"]);
    expect(buildLog.stdout).toContain(`Using latest revision: ${revision}`);
    expect(messagesIn(buildLog.stdout)).toEqual(["two"]);
    expect(messagesIn(found.stdout)).toEqual(["The server is healthy"]);
    expect(none.stdout).toContain("No log entries found.");
    expect([deployLog, buildLog, found, none].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  });

  test("deploy --verbose prints each line of the build log once while it builds", async () => {
    emulator.addFault({
      kind: "statuses",
      sequence: [
        { status: "AWAITING_BUILD", seconds: 2 },
        { status: "BUILDING", seconds: 6 },
        { status: "DEPLOYED" },
      ],
    });

    const { exitCode, stdout } = await deploy(`${prefix}-verbose`, "--verbose");

    expect(exitCode).toBe(0);
    expect(stdout.match(/Installing dependencies|Building the image/g)).toEqual([
      "Installing dependencies",
      "Building the image",
    ]);
  });

  test("a build that fails ends the client with 1, and shows the end of its log", async () => {
    const message = "No matching version found.";
    emulator.addFault({ kind: "statuses", sequence: [{ status: "BUILD_FAILED", message }] });

    const { exitCode, stdout, stderr } = await deploy(`${prefix}-broken`);

    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain("Last build log lines:");
    expect(stdout + stderr).toContain(message);
  });

  test("delete deletes the deployment, whose name stays taken by its tracing project", async () => {
    const { id } = await deployed(`${prefix}-deleted`);

    const result = await client(["delete", id, "--force"]);
    const again = await deploy(`${prefix}-deleted`);

    expect(result).toMatchObject({ exitCode: 0, stdout: `Deleted deployment ${id}.\n` });
    expect(emulator.deployments().map(({ name }) => name)).not.toContain(`${prefix}-deleted`);
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("already exists") });
  });

  test("without a workspace the client says which variable it needs", async () => {
    const result = await client(["--remote", "--no-input", "--name", "agent"], { LANGSMITH_TENANT_ID: "" });

    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Set LANGSMITH_TENANT_ID") });
  });
});

describe("the client in Python, in a workspace with a listener", () => {
  const folder = useFolder({ ...files, ...python });
  const image = `registry.example.com/desk@sha256:${"0".repeat(64)}`;

  function client(...args: string[]) {
    return runClient(vendorClients.python, folder(), ["deploy", ...args, "--host-url", hybrid.url], {
      LANGSMITH_API_KEY: hybrid.apiKey,
      LANGSMITH_TENANT_ID: hybrid.workspaceId,
    });
  }

  test("listeners list shows the listener and its namespaces", async () => {
    const { exitCode, stdout } = await client("listeners", "list");

    expect({ exitCode, rows: tableIn(stdout) }).toEqual({
      exitCode: 0,
      rows: [[LISTENER, "cluster-1", "staging, production"]],
    });
  });

  test("deploy --image-uri deploys an image through the listener", async () => {
    const placement = ["--listener-id", LISTENER, "--k8s-namespace", "production"];

    const result = await client("--no-input", "--name", "placed", "--image-uri", image, ...placement);

    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Deployment successful!") });
    expect(hybrid.deployments()).toMatchObject([
      {
        source: "external_docker",
        source_config: { listener_id: LISTENER, listener_config: { k8s_namespace: "production" } },
        revisions: [{ status: "DEPLOYED", source_revision_config: { image_uri: image } }],
      },
    ]);
  });

  test("deploy --image-uri without a listener says that the workspace has one", async () => {
    const { exitCode, stderr } = await client("--no-input", "--name", "unplaced", "--image-uri", image);

    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("--listener-id") });
  });
});
