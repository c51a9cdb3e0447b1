import type { ControlPlaneSettings } from "../../../../src/platform/control-plane.ts";
import { standard } from "../../../../src/platform/platforms.ts";
import type { Texts } from "./reading.ts";

/** What every action that talks to the control plane needs. */
export const access = {
  control_plane_url: "https://agents.example/api-host",
  api_key: "some-key",
  workspace_id: "some-workspace",
} satisfies Texts;

/** What these inputs come to. */
export const controlPlane: ControlPlaneSettings = {
  platform: standard,
  url: new URL("https://agents.example/api-host"),
  region: undefined,
  headers: { "x-api-key": "some-key", "x-tenant-id": "some-workspace" },
  requestTimeoutMs: 30_000,
};

/** What is told where none of them is given. */
export const noAccess = [
  "Input control_plane_url has to be given.",
  "Input api_key has to be given.",
  "Input workspace_id has to be given.",
];
