/** Requests that find out whether an agent responds. */
import { get } from "node:http";
import { setTimeout } from "node:timers/promises";

const POLL_MS = 50;
const PROBE_MS = 5000;

/** The status of the response to a GET; undefined if there is none within 5 s. Rejects when the signal aborts. */
export async function probe(port: number, path: string, signal: AbortSignal): Promise<number | undefined> {
  signal.throwIfAborted();
  const stop = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const status = await new Promise<number | undefined>((resolve) => {
    const request = get({ host: "127.0.0.1", port, path, agent: false, signal: stop }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    request.on("error", () => resolve(undefined));
  });
  signal.throwIfAborted();
  return status;
}

/**
 * Waits for the first 2xx of `GET /ok`, or of `GET /` if `/ok` is not found. Rejects when the signal aborts.
 * @param onStatus called with the status of every response, undefined if there was none
 */
export async function untilReady(
  port: number,
  signal: AbortSignal,
  onStatus: (status: number | undefined) => void,
): Promise<void> {
  for (;;) {
    let status = await probe(port, "/ok", signal);
    if (status === 404) status = await probe(port, "/", signal);
    onStatus(status);
    if (status !== undefined && status >= 200 && status < 300) return;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}
