import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { startEmulator } from "../../emulator/index.ts";
import { root } from "../../scripts/support/run.ts";
import { startProxy } from "../support/connect-proxy.ts";
import { startForwarder } from "../support/forward.ts";
import { closeServer, listen } from "../support/listen.ts";
import { type RunOptions, runAction } from "../support/runner/run-action.ts";
import { plainConfig } from "../support/source-tree.ts";
import { serverTest } from "./support/servers.ts";

/** The hosts of the table in SECURITY.md. */
function hostsInTable(): string[] {
  const [, table = ""] = readFileSync(join(root, "SECURITY.md"), "utf8").split(
    "\n## What the actions contact\n",
  );
  const rows = table.split("\n## ")[0]?.match(/^\|.*$/gm) ?? [];
  return rows.slice(2).map((row) => row.split("|")[1]?.trim() ?? "");
}

const portOf = (url: string) => new URL(url).port;

/** Runs an action and returns the ports that it connected to and the names that it looked up. */
async function connectionsOf({ env, ...options }: RunOptions): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "connections-"));
  const file = join(folder, "connections");
  writeFileSync(file, "");
  const hook = join(import.meta.dirname, "support/record-connections.ts");
  try {
    const run = await runAction({
      ...options,
      env: { ...env, CONNECTIONS: file, NODE_OPTIONS: `--import=${hook}` },
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    return [...new Set(readFileSync(file, "utf8").trim().split("\n"))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A deploy that uploads a folder, through another address of the control plane than that of the upload. */
async function uploadConnections(): Promise<{ contacted: string[]; controlPlane: string; upload: string }> {
  const emulator = await startEmulator({ statusSeconds: 0, platform: "langsmith" });
  const forwarder = await startForwarder(emulator.url);
  const workspace = mkdtempSync(join(tmpdir(), "connections-workspace-"));
  writeFileSync(join(workspace, "langgraph.json"), plainConfig);
  try {
    const { apiKey, workspaceId } = emulator;
    const contacted = await connectionsOf({
      action: "deploy",
      workspace,
      inputs: {
        ...{ control_plane_url: forwarder.url, api_key: apiKey, workspace_id: workspaceId },
        ...{ platform: "langsmith", name: "agent", source_path: ".", serving_check: "off" },
      },
    });
    return { contacted, controlPlane: portOf(forwarder.url), upload: portOf(emulator.url) };
  } finally {
    await emulator.close();
    await forwarder.close();
    rmSync(workspace, { recursive: true });
  }
}

serverTest(
  "the actions contact exactly the hosts of the table in SECURITY.md",
  { emulator: { platform: "langsmith" } },
  async ({ emulator, github, access }) => {
    const agent = createServer((_request, response) => response.end());
    const agentPort = await listen(agent);
    const usage = await startEmulator();
    const proxy = await startProxy({ "control-plane.invalid": emulator.url });
    // Only images have a URL of their own on a platform that can deploy a revision again.
    const image = {
      platform: "langsmith",
      name: "agent",
      source: "external_docker",
      image_uri: "registry.example/agent:1",
    };
    const recordsAndChecks = { environment: "production", health_check_path: "/ok" };
    try {
      const custom_url = `http://127.0.0.1:${agentPort}`;
      const deployed = await connectionsOf({
        action: "deploy",
        inputs: { ...access, ...image, ...recordsAndChecks, custom_url },
        env: { ...github.env },
      });
      const [upload, checked, rolledBack, ...contacted] = await Promise.all([
        uploadConnections(),
        connectionsOf({
          action: "check",
          inputs: { deployment_url: custom_url, health_check_path: "/ok" },
          env: { ...github.env },
        }),
        connectionsOf({
          action: "rollback",
          inputs: {
            ...access,
            ...recordsAndChecks,
            platform: "langsmith",
            name: "agent",
            revision_id: emulator.deployments()[0]?.revisions[0]?.id ?? "",
          },
          env: { ...github.env },
        }),
        connectionsOf({
          action: "usage",
          inputs: { base_url: usage.url, api_key: usage.apiKey, workspace_ids: usage.workspaceId },
        }),
        connectionsOf({
          action: "delete",
          inputs: {
            ...access,
            control_plane_url: "http://control-plane.invalid",
            allow_http: "true",
            name: "none",
          },
          env: { HTTP_PROXY: proxy.url },
        }),
      ]);

      const hosts = {
        "`control_plane_url`, or the host of `region`": portOf(emulator.url),
        "`base_url`, or the host of `region`": portOf(usage.url),
        "`GITHUB_API_URL`, as the runner sets it": portOf(github.url),
        "the deployment's URL": String(agentPort),
        "the address for an upload, from the control plane": upload.upload,
        "the proxy in `HTTPS_PROXY` or `HTTP_PROXY`": portOf(proxy.url),
      };
      const uploading = upload.contacted.filter((port) => port !== upload.controlPlane);
      expect(checked).toEqual([String(agentPort)]);
      expect(rolledBack.toSorted()).toEqual(deployed.toSorted());
      expect([...uploading, ...deployed, ...contacted.flat()].sort()).toEqual(Object.values(hosts).sort());
      expect(hostsInTable()).toEqual(Object.keys(hosts));
    } finally {
      await Promise.all([closeServer(agent), usage.close(), proxy.close()]);
    }
  },
);
