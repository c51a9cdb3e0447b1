import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { readAddress, readPlatform } from "./address.ts";
import type { InputReader } from "./reader.ts";

/** The inputs of every action that uses the control plane. */
export function readControlPlane(reader: InputReader): ControlPlaneSettings {
  const platform = readPlatform(reader);
  return {
    platform,
    ...readAddress(reader, platform, "control_plane_url"),
    headers: {
      "x-api-key": reader.requiredHeaderValue("api_key"),
      "x-tenant-id": reader.requiredHeaderValue("workspace_id"),
    },
    requestTimeoutMs: reader.seconds("request_timeout_seconds", 30),
  };
}

/** `delete_tracing_project`, for actions that delete. */
export function readDeleteTracingProject(reader: InputReader, { platform }: ControlPlaneSettings): boolean {
  const isWanted = reader.boolean("delete_tracing_project") ?? false;
  if (isWanted && !platform.capabilities.tracingProjects) {
    reader.reject("delete_tracing_project", "is not supported on this platform; see the input platform");
  }
  return isWanted;
}
