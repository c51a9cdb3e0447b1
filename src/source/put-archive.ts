import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "../context.ts";
import { ApiClient } from "../http/api-client.ts";
import { type HttpRequest, openResponse, readBody } from "../http/request.ts";
import type { Hints } from "../http/response-error.ts";
import { singleAttempt } from "../http/retry.ts";
import { withIdleTimeout } from "../http/timeout.ts";
import type { SourceArchive } from "./archive.ts";
import { maxPackedBytes } from "./source-files.ts";

interface PutOptions {
  readonly url: URL;
  /** How long nothing may be sent or received. */
  readonly idleTimeoutMs: number;
  readonly onProgress: (sentBytes: number) => void;
}

/** What the store is asked to check, as the platform's own clients do. */
const sizeRange = `0,${maxPackedBytes}`;
const maxResponseBytes = 1_000_000;

/**
 * Sends an archive to its address, once, without any key of the platform.
 *
 * @throws ConnectionError, ResponseError, and the reason of a cancellation
 */
export async function putArchive(
  archive: SourceArchive,
  { url, idleTimeoutMs, onProgress }: PutOptions,
  context: Context,
): Promise<void> {
  const headers = {
    accept: "*/*",
    "content-type": "application/gzip",
    "content-length": String(archive.packedBytes),
    "x-goog-content-length-range": sizeRange,
  };
  const api = new ApiClient(
    { headers, requestTimeoutMs: idleTimeoutMs, hints: hintsFor(url) },
    context,
    singleAttempt,
  );
  const limits = { idleTimeoutMs, signal: context.cancelled };
  let sentBytes = 0;
  // However it ends, what is left of the body is not sent.
  const ended = new AbortController();
  const request = { ...api.request("PUT", url), title: "The upload of the archive" };
  try {
    const response = await withIdleTimeout(request, limits, async (limit, onData) => {
      const signal = AbortSignal.any([limit, ended.signal]);
      const onSent = (bytes: number) => {
        sentBytes += bytes;
        onData();
        onProgress(sentBytes);
      };
      const streamed: HttpRequest = {
        ...request,
        stream: { open: () => withLateEnd(archive.read()), onSent },
      };
      return await readBody(request, await openResponse(streamed, signal), maxResponseBytes, signal);
    });
    api.requireSuccess(response);
    if (sentBytes < archive.packedBytes) {
      throw api.unexpected(response, "it came before the archive was sent completely");
    }
  } finally {
    ended.abort();
  }
}

/** Longer than a response takes from most stores. */
const holdMs = 100;

/**
 * A body whose last byte comes a little later. A store that responds meanwhile has not read the body, which can't be told
 * once everything was handed to the operating system.
 */
async function* withLateEnd(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined;
  for await (const part of parts) {
    if (last) yield last;
    last = part;
  }
  if (last === undefined) return;
  if (last.length > 1) yield last.subarray(0, -1);
  await delay(holdMs);
  yield last.subarray(-1);
}

function hintsFor({ host }: URL): Hints {
  const check = `Try again. If it persists, check that this runner may upload to ${host}.`;
  return {
    urlInput: `the platform's store for archives (${host})`,
    notTheApi: check,
    unexpected: check,
    redirect: check,
    byStatus: {
      413: "The archive is too large for the platform. Leave out files with a .dockerignore file.",
    },
    otherwise: check,
  };
}
