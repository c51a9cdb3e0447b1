// `node scripts/smoke.ts`: deploys a folder with the bundle, on any system: it needs no sh, and neither git nor signals. Fails
// unless the step ends well and leaves no temporary file.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../emulator/index.ts";
import { root } from "./support/run.ts";

const folder = mkdtempSync(join(tmpdir(), "smoke-"));
const [workspace, temporary, output] = [
  join(folder, "a b"),
  join(folder, "temporary"),
  join(folder, "output"),
];
mkdirSync(join(workspace, "src"), { recursive: true });
mkdirSync(temporary);
writeFileSync(output, "");
writeFileSync(
  join(workspace, "langgraph.json"),
  '{ "dependencies": ["."], "graphs": { "agent": "agent:graph" } }',
);
writeFileSync(join(workspace, "src", "agent.py"), "print()\n");
const emulator = await startEmulator({ platform: "langsmith", statusSeconds: 0 });
try {
  const inputs = {
    ...{ platform: "langsmith", control_plane_url: emulator.url, api_key: emulator.apiKey, name: "smoke" },
    ...{ workspace_id: emulator.workspaceId, source_path: ".", serving_check: "off" },
  };
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const step = spawn(process.execPath, [join(root, "dist", "deploy.js")], {
    cwd: workspace,
    stdio: "inherit",
    env: {
      ...process.env,
      ...Object.fromEntries(variables),
      ...{ GITHUB_WORKSPACE: workspace, GITHUB_OUTPUT: output, RUNNER_TEMP: temporary },
      ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    },
  });
  const [exitCode] = await once(step, "exit");
  assert.equal(exitCode, 0);
  assert.match(readFileSync(output, "utf8"), /deployed/);
  assert.deepEqual(readdirSync(temporary), []);
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log("The bundle works on this system.");
