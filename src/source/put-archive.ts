import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { ApiClient } from "../http/api-client.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { exchange, readText } from "../http/request.ts";
import type { HintFor } from "../http/response-error.ts";
import { singleAttempt } from "../http/retry.ts";
import type { UploadAddress } from "../platform/upload-address.ts";
import { formatSize } from "../text/format.ts";
import { code, duration, input, text } from "../text/message.ts";
import { maxPackedBytes, type SourceArchive } from "./archive.ts";

/** An upload that failed, with the failure of its connection or response. */
export class UploadError extends Failure {
  override readonly name = "UploadError";
  readonly reason: Failure;

  constructor(reason: Failure) {
    super(reason.ending.message, { hint: reason.ending.hint, cause: reason });
    this.reason = reason;
  }
}

/** What the store of a platform wants that does not tell: those platforms sign for this check. */
const usualHeaders = { "x-goog-content-length-range": `0,${maxPackedBytes}` };
const maxResponseBytes = 1_000_000;

/**
 * Sends an archive to its address, once, without any key of the platform, and logs the progress. `idleTimeoutMs`: how long
 * nothing may be sent or received. Throws an UploadError.
 */
export async function putArchive(
  archive: SourceArchive,
  { url, headers: wanted }: UploadAddress,
  idleTimeoutMs: number,
  context: Context,
): Promise<void> {
  const headers = {
    accept: "*/*",
    "content-type": "application/gzip",
    ...(Object.keys(wanted).length > 0 ? wanted : usualHeaders),
    "content-length": String(archive.packedBytes),
  };
  const settings = { headers, requestTimeoutMs: idleTimeoutMs, hintFor: hintsFor(url) };
  const api = new ApiClient(settings, context, singleAttempt);
  const limit = { timeoutMs: idleTimeoutMs, isIdle: true, signal: context.cancelled };
  const logProgress = progressLog(archive.packedBytes, context);
  const parts = async function* () {
    let sentBytes = 0;
    for await (const part of archive.read()) {
      yield part;
      sentBytes += part.length;
      logProgress(sentBytes);
      if (sentBytes === archive.packedBytes) return;
    }
  };
  const request = { ...api.request("PUT", url), title: text`The upload of the archive`, stream: parts() };
  const put = () =>
    exchange(request, limit, async (begun) => {
      const response = await readText(begun, maxResponseBytes);
      api.requireSuccess(response);
      // A store that responds earlier has not read the archive.
      if (begun.isEarly) throw api.unexpected(response, text`it came before the archive was sent completely`);
    });
  try {
    await api.retrying(put, () => false);
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    throw new UploadError(error);
  }
}

const progressMs = 10_000;

/** Logs from time to time how many of the bytes were sent, such as `[10 s] Uploaded 8.0 MiB of 18.4 MiB (43 %).` */
function progressLog(bytes: number, { clock, report }: Context): (sentBytes: number) => void {
  const startedAt = clock.now();
  let loggedAt = startedAt;
  return (sentBytes) => {
    const now = clock.now();
    if (now - loggedAt < progressMs) return;
    loggedAt = now;
    const share = Math.floor((sentBytes / bytes) * 100);
    report.info(
      text`[${duration(now - startedAt)}] Uploaded ${code(formatSize(sentBytes))} of ${code(formatSize(bytes))} (${share} %).`,
    );
  };
}

/** What to do after a failed upload. The platform chose the address of the store, so no input holds it. */
function hintsFor({ host }: URL): HintFor {
  const check = text`Try again. If it persists, check that this runner may upload to ${code(host)}.`;
  return (failure) => {
    if (failure instanceof ConnectionError) {
      return failure.kind === "timeout"
        ? text`${failure.ending.hint} To allow the upload more time without progress, raise ${input("request_timeout_seconds")}.`
        : failure.ending.hint;
    }
    return failure.status === 413
      ? text`The archive is too large for the platform. Leave out files with a ${code(".dockerignore")} file.`
      : check;
  };
}
