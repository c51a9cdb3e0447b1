/** Deployments of uploads with given files. */
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { deploymentIn, type Target } from "../../support/client.ts";
import { createFromSource, deployArchive, upload } from "../../support/uploads.ts";
import { endOf, readDeployment } from "./running.ts";

/** The path of the configuration file, and fields of `source_config`. */
export interface FilesOptions {
  readonly path: string;
  readonly commands?: Readonly<Record<string, string>>;
}

/** Deploys these files as an upload, and waits for the end of the revision. */
export async function deployFiles(
  target: Target,
  files: Readonly<Record<string, string>>,
  { path: langgraph_config_path, commands }: FilesOptions,
) {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body) },
    body,
  }));
  const id = await createFromSource(target);
  const source_tarball_path = await upload(target, id, gzipSync(await packTar(entries)));
  const response = await deployArchive(target, id, source_tarball_path, {
    source_revision_config: { source_tarball_path, langgraph_config_path },
    ...(commands !== undefined && { source_config: commands }),
  });
  const { latest } = deploymentIn(response);
  const status = await endOf(target, id, latest);
  return { id, latest, status, url: (await readDeployment(target, id)).url };
}
