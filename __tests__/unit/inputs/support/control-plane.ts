import type { ControlPlaneSettings } from "../../../../src/platform/control-plane-settings.ts";
import { standard } from "../../../../src/platform/standard.ts";
import { problem, type Texts } from "./reading.ts";

/** What every action that uses the control plane needs. */
export const access = {
  control_plane_url: "https://agents.example/api-host",
  api_key: "some-key",
  workspace_id: "some-workspace",
} satisfies Texts;

/** The result of these inputs. */
export const controlPlane: ControlPlaneSettings = {
  platform: standard,
  url: new URL("https://agents.example/api-host"),
  region: undefined,
  apiKey: "some-key",
  workspaceId: "some-workspace",
  requestTimeoutMs: 30_000,
  deletesTraces: false,
};

/** The problems if none of them is given. */
export const noAccess = Object.keys(access).map((input) => problem(input, "is missing or empty"));
