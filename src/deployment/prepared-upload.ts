import type { RunContext } from "../events.ts";
import type { ControlPlane, ControlPlaneSettings } from "../platform/control-plane.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { SourceArchive } from "../source/archive.ts";
import { uploadArchive } from "../source/upload.ts";
import type { DeploymentPlan } from "./plan.ts";

/** The packed folder of `source_path`. */
export interface PreparedUpload {
  readonly archive: SourceArchive;
  /** Uploads it for a deployment, and returns the platform's name for it. */
  readonly send: (deployment: Deployment, controlPlane: ControlPlane) => Promise<string>;
}

/**
 * Calls with the packed folder of `source_path`, which is removed afterwards; with undefined if the platform fetches the
 * source.
 *
 * @throws ActionError if the folder can't be deployed, and what `work` throws
 */
export async function withUpload<T>(
  { upload, source }: DeploymentPlan,
  { requestTimeoutMs: idleTimeoutMs, headers }: ControlPlaneSettings,
  context: RunContext,
  work: (upload: PreparedUpload | undefined) => Promise<T>,
): Promise<T> {
  if (upload === undefined) return await work(undefined);
  // Loaded here, because only this input needs the libraries for archives and ignore rules.
  const { packSource } = await import("../source/pack-source.ts");
  const archive = await packSource(upload.path, source.appConfigPath, context);
  try {
    return await work({
      archive,
      send: (deployment, controlPlane) => {
        const { id, name, latestRevisionId, activeRevisionId } = deployment;
        const ids = [id, name, latestRevisionId, activeRevisionId, headers["x-tenant-id"]];
        const shown = ids.flatMap((text) => text ?? []);
        const options = { idleTimeoutMs, allowHttp: upload.allowHttp, shown };
        return uploadArchive(archive, () => controlPlane.createUploadAddress(id), options, context);
      },
    });
  } finally {
    await archive.close();
  }
}
