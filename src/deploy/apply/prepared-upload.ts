import type { RunContext } from "../../events.ts";
import type { ControlPlane, ControlPlaneSettings } from "../../platform/control-plane.ts";
import type { Deployment } from "../../platform/deployment.ts";
import type { SourceArchive } from "../../source/archive.ts";
import { uploadArchive } from "../../source/upload.ts";
import type { DeploymentPlan } from "../plan/plan.ts";

/** The packed folder of `source_path`, until it is disposed of. */
export interface PreparedUpload extends AsyncDisposable {
  readonly archive: SourceArchive;
  /** Uploads it for a deployment, and returns the platform's name for it. */
  readonly send: (deployment: Deployment, controlPlane: ControlPlane) => Promise<string>;
}

/**
 * Packs the folder of `source_path`; undefined if the platform fetches the source.
 *
 * @throws like `packSource`
 */
export async function prepareUpload(
  { upload, source }: DeploymentPlan,
  { requestTimeoutMs: idleTimeoutMs, headers }: ControlPlaneSettings,
  context: RunContext,
): Promise<PreparedUpload | undefined> {
  if (upload === undefined) return undefined;
  // Loaded here, because only this input needs the libraries for archives and ignore rules.
  const { packSource } = await import("../../source/pack-source.ts");
  const archive = await packSource(upload.path, source.appConfigPath, context);
  return {
    archive,
    send: (deployment, controlPlane) => {
      const { id, name, latestRevisionId, activeRevisionId } = deployment;
      const ids = [id, name, latestRevisionId, activeRevisionId, headers["x-tenant-id"]];
      const shown = ids.flatMap((text) => text ?? []);
      const options = { idleTimeoutMs, allowHttp: upload.allowHttp, shown };
      return uploadArchive(archive, () => controlPlane.createUploadAddress(id), options, context);
    },
    [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
  };
}
