/** Uploads of source archives: addresses that are valid for a time, and what was uploaded there. */
import { randomBytes, randomUUID } from "node:crypto";
import { RefusedError } from "../errors.ts";
import type { ArchiveFolder } from "../store/archives.ts";
import type { DeploymentChange } from "../store/deployments.ts";
import type { UploadRow, UploadStore } from "../store/uploads.ts";

export interface UploadsOptions {
  readonly store: UploadStore;
  readonly archives: ArchiveFolder;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The emulator's own address, without a trailing slash. */
  readonly origin: () => string;
}

/** A request to an upload address. */
export interface UploadRequest {
  readonly id: string;
  readonly token: string | undefined;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
}

const VALID_MS = 15 * 60_000;
const MAX_BYTES = 200 * 1024 * 1024;

/** The headers that a client has to send as they were signed. */
const SIGNED_HEADERS = {
  "Content-Type": "application/gzip",
  "X-Goog-Content-Length-Range": `0,${MAX_BYTES}`,
};

export class Uploads {
  readonly #options: UploadsOptions;

  constructor(options: UploadsOptions) {
    this.#options = options;
    this.removeUnused();
  }

  /** An address for one archive of a deployment, as the response shows it. */
  open(deploymentId: string): { upload_url: string; object_path: string } {
    const { store, now, origin } = this.#options;
    const [id, token] = [randomUUID(), randomBytes(32).toString("base64url")];
    store.insert({ id, deployment_id: deploymentId, token, expires_at: now() + VALID_MS });
    return {
      upload_url: `${origin()}/uploads/${id}?token=${token}`,
      object_path: objectPath(deploymentId, id),
    };
  }

  /**
   * Receives an archive. An upload that breaks off leaves nothing behind and may be repeated.
   * @throws {RefusedError}
   */
  async receive({ id, token, headers, body }: UploadRequest): Promise<void> {
    const { store, archives, now } = this.#options;
    checkAddress(store.find(id), token, now());
    const length = checkHeaders(headers);
    if (body === null || length === 0) throw notGzip();
    await archives.save(id, body, (head) => {
      if (head.toString("hex") !== GZIP_MAGIC) throw notGzip();
      if (!store.complete(id)) throw usedUp();
    });
  }

  /** The file of an archive by its `object_path`; undefined if it was not uploaded completely for this deployment. */
  archiveOf(deploymentId: string, path: unknown): string | undefined {
    const id = typeof path === "string" ? (/([^/]+)\.tar\.gz$/.exec(path)?.[1] ?? "") : "";
    const upload = this.#options.store.find(id);
    const isThis = upload?.deployment_id === deploymentId && path === objectPath(deploymentId, id);
    return isThis && upload.isComplete ? this.#options.archives.find(id) : undefined;
  }

  /** @throws {RefusedError} 400 if the request names an archive that was not uploaded for this deployment */
  check(deploymentId: string, { source_revision_config: config }: DeploymentChange): void {
    const path = config?.source_tarball_path ?? null;
    if (path !== null && this.archiveOf(deploymentId, path) === undefined) {
      throw new RefusedError(400, `source_tarball_path ${path} was not uploaded for this deployment.`);
    }
  }

  /** Removes the archives of deleted deployments. */
  removeUnused(): void {
    this.#options.archives.keepOnly(this.#options.store.completeIds());
  }
}

function objectPath(deploymentId: string, id: string): string {
  return `deployments/${deploymentId}/sources/${id}.tar.gz`;
}

/** https://www.rfc-editor.org/rfc/rfc1952#page-6 */
const GZIP_MAGIC = "1f8b";

function checkAddress(upload: UploadRow | undefined, token: string | undefined, now: number): void {
  if (upload === undefined || token !== upload.token) {
    throw new RefusedError(403, "The signature of the upload address is wrong.");
  }
  if (upload.isComplete) throw usedUp();
  if (now >= upload.expires_at) throw new RefusedError(400, "The upload address has expired.");
}

/** @returns the number of bytes to come */
function checkHeaders(headers: Headers): number {
  for (const [name, value] of Object.entries(SIGNED_HEADERS)) {
    if (headers.get(name) !== value) {
      throw new RefusedError(403, `The header ${name} has to be ${value}, as in the signature.`);
    }
  }
  const length = headers.get("content-length");
  if (length === null) throw new RefusedError(411, "The header Content-Length is missing.");
  if (Number(length) > MAX_BYTES)
    throw new RefusedError(400, `More than ${MAX_BYTES} bytes are not accepted.`);
  return Number(length);
}

function notGzip(): RefusedError {
  return new RefusedError(400, "The body is not a gzip file.");
}

function usedUp(): RefusedError {
  return new RefusedError(409, "An archive was uploaded to this address already.");
}
