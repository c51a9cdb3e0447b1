import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { sendRequest } from "../http/request.ts";
import { type HintFor, hasStatus, moreTimeHint, RequestError } from "../http/request-error.ts";
import { requireSuccess } from "../http/response.ts";
import { withRetry } from "../http/retry.ts";
import { isUnprotected } from "../http/url.ts";
import type { UploadAddress } from "../platform/source-upload.ts";
import { code, duration, phrase, size, text } from "../text/message.ts";
import type { SourceArchive } from "./archive.ts";

/** The last attempt starts at most this long after the first one. */
const maxRetryMs = 600_000;

/**
 * Uploads an archive, and returns the platform's name for it. Each attempt requests a new address, because an address expires
 * and accepts only one archive. `idleTimeoutMs`: the longest time without any data.
 */
export async function uploadArchive(
  archive: SourceArchive,
  createAddress: () => Promise<UploadAddress>,
  { idleTimeoutMs, allowHttp }: { readonly idleTimeoutMs: number; readonly allowHttp: boolean },
  context: Context,
): Promise<string> {
  const { clock, report } = context;
  const startedAt = clock.now();
  let hasAddress = false;
  const attempt = async (): Promise<string> => {
    hasAddress = false;
    const address = await createAddress();
    hasAddress = true;
    report.mask(secretsIn(address));
    if (!allowHttp) requireProtection(address.url);
    await uploadOnce(archive, address, idleTimeoutMs, context);
    return address.objectPath;
  };
  // The API client has already retried the request for an address. A store may refuse an expired one with any status but 413,
  // which says that the archive is too large.
  const shouldRetry = (error: Failure) =>
    hasAddress && error instanceof RequestError && !hasStatus(error, 413);
  const path = await withRetry(attempt, shouldRetry, maxRetryMs, context);
  report.info(text`Uploaded ${size(archive.packedBytes)} in ${duration(clock.now() - startedAt)}.`);
  return path;
}

/** Shorter parts of an address are often ordinary words. */
const minSecretLength = 16;

/** Returns the address, and the parts of it and of its headers that may be its signature. */
function secretsIn({ url, headers }: UploadAddress): string[] {
  const { "content-type": _, ...signed } = headers;
  const parts = [...url.searchParams.values(), ...Object.values(signed)];
  return [url.href, ...parts.filter((part) => part.length >= minSecretLength)];
}

/** Refuses an address on which others on the network could read the archive. */
function requireProtection(url: URL): void {
  if (!isUnprotected(url)) return;
  const hint = text`For a plain ${code("http:")} address of a private network set ${code("allow_http: true")}.`;
  throw new Failure(
    text`The platform's upload address on ${code(url.host)} does not start with ${code("https://")}.`,
    { hint },
  );
}

const progressMs = 10_000;

/** Sends an archive once to its address, without any key of the platform, and logs the progress every ten seconds. */
async function uploadOnce(
  archive: SourceArchive,
  { url, headers: requiredHeaders }: UploadAddress,
  idleTimeoutMs: number,
  context: Context,
): Promise<void> {
  const { clock, report } = context;
  const { packedBytes } = archive;
  const headers = {
    accept: "*/*",
    "content-type": "application/gzip",
    ...requiredHeaders,
    "content-length": String(packedBytes),
  };
  const startedAt = clock.now();
  let sentBytes = 0;
  const stream = await archive.read((partBytes) => {
    sentBytes += partBytes;
  });
  const stopProgress = clock.every(progressMs, () => {
    const sent = text`${size(sentBytes)} of ${size(packedBytes)} (${Math.floor((sentBytes / packedBytes) * 100)} %)`;
    report.info(text`[${duration(clock.now() - startedAt)}] Uploaded ${sent}.`);
  });
  const title = phrase`The upload of the archive`;
  const request = { method: "PUT", url, headers, title, stream, hintFor: storeHints(url) } as const;
  const options = { ...context, timeoutMs: idleTimeoutMs, isIdleTimeout: true };
  try {
    requireSuccess(await sendRequest(request, options));
  } finally {
    stopProgress();
  }
}

/** The platform chose the address of the store, so no input holds it. */
function storeHints({ host }: URL): HintFor {
  return ({ kind }, connectionHint) => {
    if (kind === "timeout") return moreTimeHint(connectionHint);
    if (kind !== "response") return connectionHint;
    return text`Try again. If it persists, check that this runner may upload to ${code(host)}, or leave out files with a ${code(".dockerignore")} file.`;
  };
}
