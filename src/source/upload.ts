import { ActionError } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { ConnectionError } from "../http/errors.ts";
import { ResponseError } from "../http/response-error.ts";
import { type ShouldRetry, withRetry } from "../http/retry.ts";
import { isUnprotected } from "../inputs/address.ts";
import type { UploadAddress } from "../platform/control-plane.ts";
import { formatDuration, formatMebibytes } from "../text/format.ts";
import type { SourceArchive } from "./archive.ts";
import { putArchive } from "./put-archive.ts";

export interface UploadOptions {
  /** How long nothing may be sent or received. */
  readonly idleTimeoutMs: number;
  /** Whether the address may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
  /** What the run shows anyway, such as ids. No part of it is secret, although an address may hold it. */
  readonly shown: readonly string[];
}

/** An upload that failed. Nothing was deployed by it. */
class UploadError extends ActionError {
  override readonly name = "UploadError";
  readonly reason: ActionError;

  constructor(reason: ActionError) {
    super(reason.message, { code: "upload", hint: reason.hint, cause: reason });
    this.reason = reason;
  }
}

const maxAttempts = 4;
/** How long after the first attempt another one may start, in milliseconds. */
const maxRetryMs = 600_000;

/**
 * Uploads an archive, and returns the platform's name for it. Each attempt has an address of its own, because one expires
 * and is good for one archive.
 *
 * @throws ActionError if it could not be uploaded, the errors of `createAddress`, and the reason of a cancellation
 */
export async function uploadArchive(
  archive: SourceArchive,
  createAddress: () => Promise<UploadAddress>,
  options: UploadOptions,
  context: RunContext,
): Promise<string> {
  const { clock, log, emit } = context;
  const startedAt = clock.now();
  const attempt = async () => {
    const address = await createAddress();
    mask(address, options, context);
    requireProtection(address.url, options);
    await send(archive, address.url, options, context);
    return address.objectPath;
  };
  await emit({ kind: "stage_changed", stage: "still uploading the archive" });
  const policy = { maxAttempts, deadline: startedAt + maxRetryMs, firstDelayMs: 1000 };
  const objectPath = await withRetry(attempt, retryUpload, policy, context);
  await emit({ kind: "stage_changed", stage: undefined });
  const took = formatDuration(clock.now() - startedAt);
  log.info(`Uploaded ${formatMebibytes(archive.packedBytes)} in ${took}.`);
  return objectPath;
}

/** An address that expired, or that the store no longer knows, is refused with one of these. */
const renewable: ReadonlySet<number> = new Set([400, 401, 403, 408, 429]);

/** What the platform itself refuses is not retried here: its client has done that. */
const retryUpload: ShouldRetry = (error) => {
  if (!(error instanceof UploadError)) return undefined;
  const { reason } = error;
  if (reason instanceof ConnectionError) return reason.retryable ? {} : undefined;
  if (!(reason instanceof ResponseError)) return undefined;
  const { status, retryAfterMs } = reason;
  const isEarly = status >= 200 && status < 300;
  return isEarly || status >= 500 || renewable.has(status) ? { retryAfterMs } : undefined;
};

/** Shorter parts of an address are ordinary words. */
const minSecretLength = 16;

/** From now on neither log nor report shows the address, or a part of it that may be its signature. */
function mask(
  { url, objectPath }: UploadAddress,
  { shown }: UploadOptions,
  { log, redact }: RunContext,
): void {
  const known = [objectPath, ...shown].map((text) => text.toLowerCase());
  const isKnown = (part: string) => known.some((text) => text.includes(part.toLowerCase()));
  const query = url.search
    .slice(1)
    .split("&")
    .map((pair) => pair.replace(/^[^=]*=/, ""));
  const parts = [...url.pathname.split("/"), ...query, ...url.searchParams.values()];
  const secretParts = parts.filter(
    (part) => part.length >= minSecretLength && !isKnown(part) && !isKnown(decodeUriComponent(part)),
  );
  const secrets = [url.href, ...secretParts];
  for (const secret of new Set(secrets)) log.mask(secret);
  redact.add(secrets);
}

/** The text itself if it is not percent-encoded. */
function decodeUriComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @throws ActionError if others on the network could read the archive */
function requireProtection(url: URL, { allowHttp }: UploadOptions): void {
  if (url.protocol === "https:" || (url.protocol === "http:" && (allowHttp || !isUnprotected(url)))) return;
  throw new ActionError(`The platform's upload address on ${url.host} does not start with https://.`, {
    code: "upload_address",
    hint: "For a plain http: address of a private network set allow_http: true.",
  });
}

const progressMs = 10_000;

/** Sends the archive once, and logs the progress. @throws UploadError */
async function send(
  archive: SourceArchive,
  url: URL,
  { idleTimeoutMs }: UploadOptions,
  context: RunContext,
): Promise<void> {
  const { clock, log, cancelled } = context;
  const startedAt = clock.now();
  let loggedAt = startedAt;
  const onProgress = (sentBytes: number) => {
    const now = clock.now();
    if (now - loggedAt < progressMs) return;
    loggedAt = now;
    log.info(`[${formatDuration(now - startedAt)}] ${describeProgress(sentBytes, archive.packedBytes)}`);
  };
  try {
    await putArchive(archive, { url, idleTimeoutMs, onProgress }, context);
  } catch (error) {
    cancelled.throwIfAborted();
    throw error instanceof ActionError ? new UploadError(error) : error;
  }
}

/** Such as `Uploaded 8.0 MiB of 18.4 MiB (43 %).` */
function describeProgress(sentBytes: number, bytes: number): string {
  const share = Math.floor((sentBytes / bytes) * 100);
  return `Uploaded ${formatMebibytes(sentBytes)} of ${formatMebibytes(bytes)} (${share} %).`;
}
