import type { InputReader } from "./reader.ts";

/** A folder to upload and deploy instead of a ref. */
export interface SourceUpload {
  /** Relative to the workspace. */
  readonly path: string;
  readonly installCommand: string | undefined;
  readonly buildCommand: string | undefined;
  /** Whether the address of the upload may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
}

/** The kind of source that an upload makes. */
export const uploadSource = "internal_source";

/** `source_path`, undefined if it is not given. What contradicts it is rejected. */
export function readSourceUpload(reader: InputReader): SourceUpload | undefined {
  const path = reader.optional("source_path");
  const [installCommand, buildCommand] = [
    reader.optional("install_command"),
    reader.optional("build_command"),
  ];
  if (path === undefined) {
    const needsPath = "needs source_path: the platform takes it for uploads only";
    if (installCommand !== undefined) reader.reject("install_command", needsPath);
    if (buildCommand !== undefined) reader.reject("build_command", needsPath);
    return undefined;
  }
  for (const input of ["repo_ref", "repo_url", "image_uri", "integration_id"]) {
    if (reader.optional(input) === undefined) continue;
    reader.reject(input, "must not be given together with source_path, which deploys the files of a folder");
  }
  for (const input of ["listener_id", "custom_url"]) {
    if (reader.optional(input) === undefined) continue;
    reader.reject(
      input,
      "must not be given together with source_path: the platform takes it for images only",
    );
  }
  if (![undefined, uploadSource].includes(reader.optional("source"))) {
    reader.reject("source", `must be ${uploadSource} or left out with source_path`);
  }
  return { path, installCommand, buildCommand, allowHttp: reader.boolean("allow_http") ?? false };
}
