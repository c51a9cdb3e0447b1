import type { ApiClient } from "../http/api-client.ts";
import type { DeploymentId } from "./ids.ts";

/** The largest archive that may be uploaded, in bytes. */
export const maxUploadBytes = 200 * 2 ** 20;

/** A folder that is uploaded and deployed. */
export interface SourceUpload {
  /** Relative to the workspace. */
  readonly path: string;
  /** The path of the configuration file in the folder. */
  readonly configPath: string;
  readonly installCommand: string | undefined;
  readonly buildCommand: string | undefined;
  readonly createAddress: CreateUploadAddress;
}

export type CreateUploadAddress = (api: ApiClient, id: DeploymentId) => Promise<UploadAddress>;

export interface UploadAddress {
  /** A credential: whoever knows it may upload. */
  readonly url: URL;
  /** The headers that the store requires, by lower-case names. They may be credentials too. */
  readonly headers: Readonly<Record<string, string>>;
  /** The platform's name for the archive. */
  readonly objectPath: string;
}
