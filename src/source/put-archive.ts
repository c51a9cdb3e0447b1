import type { Context } from "../context.ts";
import { sendRequest } from "../http/request.ts";
import type { HintFor } from "../http/request-error.ts";
import { requireSuccess } from "../http/response.ts";
import type { UploadAddress } from "../platform/schemas.ts";
import { code, duration, inputName, size, text } from "../text/message.ts";
import type { SourceArchive } from "./archive.ts";

/**
 * Sends an archive once to its address, without any key of the platform, and logs the progress. `idleTimeoutMs`: the longest
 * time without data in either direction.
 */
export async function putArchive(
  archive: SourceArchive,
  { url, headers: requiredHeaders }: UploadAddress,
  idleTimeoutMs: number,
  context: Context,
): Promise<void> {
  const headers = {
    accept: "*/*",
    "content-type": "application/gzip",
    ...requiredHeaders,
    "content-length": String(archive.packedBytes),
  };
  const { cancelled: signal, report } = context;
  const options = { timeoutMs: idleTimeoutMs, limitsSilenceOnly: true, signal, report };
  const logProgress = progressLog(archive.packedBytes, context);
  const parts = async function* () {
    let sentBytes = 0;
    for await (const part of archive.read()) {
      yield part;
      sentBytes += part.length;
      logProgress(sentBytes);
    }
  };
  const title = text`The upload of the archive`;
  const request = { method: "PUT", url, headers, title, stream: parts(), hintFor: storeHints(url) } as const;
  requireSuccess(await sendRequest(request, options));
}

/** The platform chose the address of the store, so no input holds it. */
function storeHints({ host }: URL): HintFor {
  return ({ status, isTimeout }, reach) => {
    if (isTimeout) return text`${reach} To wait longer, raise ${inputName("request_timeout_seconds")}.`;
    if (status === 0) return reach;
    return text`Try again. If it persists, check that this runner may upload to ${code(host)}, or leave out files with a ${code(".dockerignore")} file.`;
  };
}

const progressMs = 10_000;

/** Returns a function that logs a line every ten seconds, such as `[10 s] Uploaded 8.0 MiB of 18.4 MiB (43 %).` */
function progressLog(bytes: number, { clock, report }: Context): (sentBytes: number) => void {
  const startedAt = clock.now();
  let loggedAt = startedAt;
  return (sentBytes) => {
    const now = clock.now();
    if (now - loggedAt < progressMs) return;
    loggedAt = now;
    const share = Math.floor((sentBytes / bytes) * 100);
    report.info(
      text`[${duration(now - startedAt)}] Uploaded ${size(sentBytes)} of ${size(bytes)} (${share} %).`,
    );
  };
}
