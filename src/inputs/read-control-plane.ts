import { emptyHint } from "../input-problem.ts";
import type { ControlPlaneSettings } from "../platform/control-plane-settings.ts";
import { DeploymentIdSchema } from "../platform/ids.ts";
import { createLangsmith } from "../platform/langsmith.ts";
import { notSupported } from "../platform/platform.ts";
import { regionOf } from "../platform/regions.ts";
import { standard } from "../platform/standard.ts";
import type { Target } from "../platform/target.ts";
import { inputName, phrase } from "../text/message.ts";
import { readApiLocation, readPlatformName } from "./api-location.ts";
import type { InputReader } from "./reader.ts";

export function readControlPlane(reader: InputReader): ControlPlaneSettings {
  const location = readApiLocation(reader, "control_plane_url");
  const isCloud = regionOf(location.url) !== undefined;
  const platform = readPlatformName(reader) === "standard" ? standard : createLangsmith(isCloud);
  // Only actions that delete deployments have this input.
  const deletesTraces = reader.boolean("delete_tracing_project") ?? false;
  if (deletesTraces && !platform.canDeleteTraces) reader.addProblem(notSupported("delete_tracing_project"));
  return {
    ...location,
    platform,
    apiKey: reader.requiredHeaderValue("api_key"),
    workspaceId: reader.requiredHeaderValue("workspace_id"),
    requestTimeoutMs: reader.requestTimeoutMs(),
    deletesTraces,
  };
}

/** Returns the deployment of `deployment_id`, or else of `name`. */
export function readTarget(reader: InputReader): Target {
  const id = reader.id("deployment_id", DeploymentIdSchema);
  if (id !== undefined) return { kind: "id", id };
  const name = reader.optional("name") ?? "";
  if (name === "" && reader.optional("deployment_id") === undefined) {
    reader.reject("name", phrase`or ${inputName("deployment_id")} must be set`, { hint: emptyHint });
  }
  return { kind: "name", name };
}
