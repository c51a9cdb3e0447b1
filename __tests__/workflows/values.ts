/**
 * What a reader sets before the workflows in docs/workflows/ work: the value of each variable and each secret. A workflow
 * that uses another name fails until that name has a value here.
 */
import type { Emulator } from "../../emulator/index.ts";

/** Workflows that are not run here. */
export const leftOut: Readonly<Record<string, string>> = {
  "image.yml": "it builds and pushes an image, which needs Docker",
  "check-pull-request.yml": "it installs the vendor's server for Python from the internet",
  "compare-pull-request.yml": "it installs the vendor's server for Python from the internet",
};

/** The URL of an agent that does not exist: a port that no service uses. */
export const unreachable = "http://127.0.0.1:9";

export type Values = Readonly<Record<string, string>>;

type Platform = Pick<Emulator, "url" | "workspaceId" | "deployments">;

export function variables({ url, workspaceId, deployments }: Platform): Values {
  return {
    CONTROL_PLANE_URL: url,
    AGENT_WORKSPACE_ID: workspaceId,
    LANGSMITH_WORKSPACE_ID: workspaceId,
    // Of the first that is deployed.
    AGENT_URL: deployments()[0]?.url ?? unreachable,
    NEXT_URL: unreachable,
    AGENT_INTEGRATION_ID: "00000000-0000-4000-8000-000000000002",
  };
}

/** The key is no word that a message could contain by itself: every run is checked for it. */
export const apiKey = "lsv2-key-of-the-workflow-tests";

export const secrets: Values = {
  AGENT_API_KEY: apiKey,
  LANGSMITH_API_KEY: apiKey,
  MODEL_API_KEY: "model-key-of-the-workflow-tests",
  AGENT_KEY: "agent-key-of-the-workflow-tests",
  WEBHOOK: `${unreachable}/of-the-workflow-tests`,
  OAUTH_CLIENT_SECRET: "client-secret-of-the-workflow-tests",
};
