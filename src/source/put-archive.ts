import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { type HttpRequest, openResponse, readBody } from "../http/request.ts";
import type { HintFor } from "../http/response-error.ts";
import { singleAttempt } from "../http/retry.ts";
import { withIdleTimeout } from "../http/timeout.ts";
import { code, input, text } from "../text/message.ts";
import { maxPackedBytes, type SourceArchive } from "./archive.ts";

interface PutOptions {
  readonly url: URL;
  /** What the store wants to be sent; empty: what it wants is not known. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long nothing may be sent or received. */
  readonly idleTimeoutMs: number;
  readonly onProgress: (sentBytes: number) => void;
}

/** What the store of a platform wants that does not tell: those platforms sign for this check. */
const usualHeaders = { "x-goog-content-length-range": `0,${maxPackedBytes}` };
const maxResponseBytes = 1_000_000;

/**
 * Sends an archive to its address, once, without any key of the platform.
 *
 * @throws ConnectionError, ResponseError, and the reason of a cancellation
 */
export async function putArchive(
  archive: SourceArchive,
  { url, headers: wanted, idleTimeoutMs, onProgress }: PutOptions,
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
  const limit = { timeoutMs: idleTimeoutMs, signal: context.cancelled };
  let sentBytes = 0;
  // However it ends, what is left of the body is not sent.
  const ended = new AbortController();
  const request = { ...api.request("PUT", url), title: text`The upload of the archive` };
  const put = () =>
    withIdleTimeout(request, limit, async (stopped, onData) => {
      const signal = AbortSignal.any([stopped, ended.signal]);
      const onSent = (bytes: number) => {
        sentBytes += bytes;
        onData();
        onProgress(sentBytes);
      };
      const streamed: HttpRequest = { ...request, stream: { open: archive.read, onSent } };
      const begun = await openResponse(streamed, signal);
      const isWhole = sentBytes === archive.packedBytes;
      const response = await readBody(begun, maxResponseBytes, signal);
      api.requireSuccess(response);
      // A store that responds earlier has not read the archive.
      if (!isWhole) throw api.unexpected(response, text`it came before the archive was sent completely`);
    });
  try {
    await api.retrying(put, () => undefined);
  } finally {
    ended.abort();
  }
}

/** What to do after a failed upload. The platform chose the address of the store, so no input holds it. */
function hintsFor({ host }: URL): HintFor {
  const check = text`Try again. If it persists, check that this runner may upload to ${code(host)}.`;
  return (failure) => {
    if (failure instanceof ConnectionError) {
      return failure.kind === "timeout"
        ? text`${failure.hint} ${input("request_timeout_seconds")} gives the upload more time without progress.`
        : failure.hint;
    }
    return failure.status === 413
      ? text`The archive is too large for the platform. Leave out files with a ${code(".dockerignore")} file.`
      : check;
  };
}
