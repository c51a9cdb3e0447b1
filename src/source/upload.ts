import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { isSuccessful } from "../http/request.ts";
import { ResponseError } from "../http/response-error.ts";
import { type ShouldRetry, withRetry } from "../http/retry.ts";
import { isUnprotected } from "../http/unprotected.ts";
import type { UploadAddress } from "../platform/upload-address.ts";
import { formatDuration, formatSize } from "../text/format.ts";
import { code, text } from "../text/message.ts";
import type { SourceArchive } from "./archive.ts";
import { putArchive, UploadError } from "./put-archive.ts";

interface UploadOptions {
  /** How long nothing may be sent or received. */
  readonly idleTimeoutMs: number;
  /** Whether the address may be a plain `http:` one outside of this machine. */
  readonly allowHttp: boolean;
  /** What the run shows anyway, such as ids: an address may hold it, and no part of it is secret. */
  readonly notSecret: readonly string[];
}

const maxAttempts = 4;
/** How long after the first attempt another one may start, in milliseconds. */
const maxRetryMs = 600_000;

/**
 * Uploads an archive, and returns the platform's name for it. Each attempt has an address of its own, because one expires
 * and is good for one archive.
 */
export async function uploadArchive(
  archive: SourceArchive,
  createAddress: () => Promise<UploadAddress>,
  options: UploadOptions,
  context: Context,
): Promise<string> {
  const { clock, report } = context;
  const startedAt = clock.now();
  const attempt = async () => {
    const address = await createAddress();
    report.mask(secretsIn(address, options));
    requireProtection(address.url, options);
    await putArchive(archive, address, options.idleTimeoutMs, context);
    return address.objectPath;
  };
  const policy = { maxAttempts, maxMs: maxRetryMs, firstDelayMs: 1000 };
  const objectPath = await report.during(text`still uploading the archive`, () =>
    withRetry(attempt, retryUpload, policy, context),
  );
  const took = formatDuration(clock.now() - startedAt);
  report.info(text`Uploaded ${code(formatSize(archive.packedBytes))} in ${code(took)}.`);
  return objectPath;
}

/** An address that expired, or that the store no longer knows, is refused with one of these. */
const renewable: ReadonlySet<number> = new Set([400, 401, 403, 408, 429]);

/** Errors of `createAddress` were already retried by the API client. */
const retryUpload: ShouldRetry = (error) => {
  if (!(error instanceof UploadError)) return false;
  const { reason } = error;
  if (reason instanceof ConnectionError) return reason.retryable;
  if (!(reason instanceof ResponseError)) return false;
  const isEarly = isSuccessful(reason.status);
  return isEarly || reason.status >= 500 || renewable.has(reason.status);
};

/** Shorter parts of an address are ordinary words. */
const minSecretLength = 16;

/** The address, and the parts of it and of its headers that may be its signature. */
function secretsIn({ url, headers, objectPath }: UploadAddress, { notSecret }: UploadOptions): string[] {
  const known = [objectPath, ...notSecret].map((value) => value.toLowerCase());
  const isKnown = (part: string) => known.some((value) => value.includes(part.toLowerCase()));
  const query = url.search
    .slice(1)
    .split("&")
    .map((pair) => pair.replace(/^[^=]*=/, ""));
  const { "content-type": _, ...signed } = headers;
  const parts = [
    ...url.pathname.split("/"),
    ...query,
    ...url.searchParams.values(),
    ...Object.values(signed).flatMap((value) => [value, ...value.split(/\s+/)]),
  ];
  const secretParts = parts.filter(
    (part) => part.length >= minSecretLength && !isKnown(part) && !isKnown(decodeUriComponent(part)),
  );
  return [url.href, ...secretParts];
}

/** The text itself if it is not percent-encoded. */
function decodeUriComponent(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Others on the network must not be able to read the archive. */
function requireProtection(url: URL, { allowHttp }: UploadOptions): void {
  if (url.protocol === "https:" || (url.protocol === "http:" && (allowHttp || !isUnprotected(url)))) return;
  throw new Failure(
    text`The platform's upload address on ${code(url.host)} does not start with ${code("https://")}.`,
    {
      hint: text`For a plain ${code("http:")} address of a private network set ${code("allow_http: true")}.`,
    },
  );
}
