/** Requests that find out whether an agent responds. */
import { get } from "node:http";
import { setTimeout } from "node:timers/promises";

const POLL_MS = 50;
const PROBE_MS = 5000;

/** The status of a response, or why there is none: nobody takes the connection or keeps it, or nothing comes in time. */
export type Probed = number | "refused" | "silent";

/** What a GET leads to within 5 s. Rejects when the signal aborts. */
export async function probe(port: number, path: string, signal: AbortSignal): Promise<Probed> {
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(PROBE_MS);
  const stop = AbortSignal.any([signal, limit]);
  const status = await new Promise<Probed>((resolve) => {
    const request = get({ host: "127.0.0.1", port, path, agent: false, signal: stop }, (response) => {
      resolve(response.statusCode ?? "refused");
      response.destroy();
    });
    request.on("error", () => resolve(limit.aborted ? "silent" : "refused"));
  });
  signal.throwIfAborted();
  return status;
}

/**
 * Waits for the first 2xx of `GET /ok`, or of `GET /` if `/ok` is not found. Rejects when the signal aborts.
 * @param onStatus called with the status of every response, or why there was none
 */
export async function untilReady(
  port: number,
  signal: AbortSignal,
  onStatus: (status: Probed) => void,
): Promise<void> {
  for (;;) {
    let status = await probe(port, "/ok", signal);
    if (status === 404) status = await probe(port, "/", signal);
    onStatus(status);
    if (typeof status === "number" && status >= 200 && status < 300) return;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}
