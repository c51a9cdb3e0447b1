import { startEmulator } from "../../emulator/index.ts";
import { root } from "../../scripts/support/run.ts";
import { type ProcessFigures, runNode } from "./process.ts";

interface Access {
  readonly url: string;
  readonly apiKey: string;
  readonly workspaceId: string;
}

/** What the runner sets for a deploy of a git ref. */
export function deployEnv({ url, apiKey, workspaceId }: Access) {
  return {
    INPUT_CONTROL_PLANE_URL: url,
    INPUT_API_KEY: apiKey,
    INPUT_WORKSPACE_ID: workspaceId,
    INPUT_NAME: "bench",
    INPUT_INTEGRATION_ID: "integration",
    INPUT_APP_CONFIG_PATH: "agent.json",
    GITHUB_REPOSITORY: "octo-org/octo-repo",
    GITHUB_REF: "refs/heads/main",
  };
}

/** A complete deploy by the bundle, to an emulator whose revisions have each status this long. @throws if it fails */
export async function runDeploy(statusSeconds: number, withMemory = false): Promise<ProcessFigures> {
  const emulator = await startEmulator({ statusSeconds });
  const env = deployEnv(emulator);
  try {
    const deploy = await runNode([`${root}/dist/deploy.js`], env, withMemory);
    if (deploy.exitCode !== 0) throw new Error(`The deploy ended with ${deploy.exitCode}; is dist/ built?`);
    return deploy;
  } finally {
    await emulator.close();
  }
}
