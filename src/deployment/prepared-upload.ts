import type { RunContext } from "../events.ts";
import type { ControlPlane, ControlPlaneSettings } from "../platform/control-plane.ts";
import type { SourceArchive } from "../source/archive.ts";
import { uploadArchive } from "../source/upload.ts";
import type { DeploymentPlan } from "./plan.ts";

/** The packed folder of `source_path`, until it is disposed of. */
export interface PreparedUpload extends AsyncDisposable {
  readonly archive: SourceArchive;
  /** Uploads it for a deployment, and returns the platform's name for it. */
  readonly send: (deploymentId: string, controlPlane: ControlPlane) => Promise<string>;
}

/**
 * Packs the folder of `source_path`; undefined if the platform fetches the source.
 *
 * @throws like `packSource`
 */
export async function prepareUpload(
  { upload, source }: DeploymentPlan,
  { requestTimeoutMs: silenceMs }: ControlPlaneSettings,
  context: RunContext,
): Promise<PreparedUpload | undefined> {
  if (upload === undefined) return undefined;
  // Loaded here, because only this input needs the libraries for archives and ignore rules.
  const { packSource } = await import("../source/pack-source.ts");
  const archive = await packSource(upload.path, source.appConfigPath, context);
  const limits = { silenceMs, allowHttp: upload.allowHttp };
  return {
    archive,
    send: (deploymentId, controlPlane) =>
      uploadArchive(archive, () => controlPlane.createUploadAddress(deploymentId), limits, context),
    [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
  };
}
