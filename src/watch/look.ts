import { AnswerError } from "../control-plane/errors.ts";
import { ActionError } from "../errors.ts";
import type { Ports } from "../ports.ts";

/** An answer that no waiting will change: the key or the workspace is not accepted (contract, 3.1). */
export function endsWatching(error: unknown): boolean {
  return error instanceof AnswerError && (error.status === 401 || error.status === 403);
}

/**
 * What a look brought: `seen`, or the error that a failed look is borne with. What is no `ActionError` is a defect
 * here and goes on its way, as do the cancellation and what ends watching.
 */
export async function bear<T>(
  look: () => Promise<T>,
  ports: Ports,
): Promise<{ seen: T } | { error: ActionError }> {
  try {
    return { seen: await look() };
  } catch (error) {
    ports.cancelled.throwIfAborted();
    if (!(error instanceof ActionError) || endsWatching(error)) throw error;
    return { error };
  }
}

/**
 * Looks every two seconds until something is seen, and once more at the end. `until`: milliseconds since the epoch.
 * Failed looks are borne; undefined where nothing was seen.
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  until: number,
  ports: Ports,
): Promise<T | undefined> {
  for (;;) {
    const last = ports.clock.now() >= until;
    const result = await bear(look, ports);
    if ("seen" in result && result.seen !== undefined) return result.seen;
    if ("error" in result) ports.log.info(`${result.error.message} Looking again.`);
    if (last) return undefined;
    const asked = "error" in result && result.error instanceof AnswerError ? (result.error.pauseMs ?? 0) : 0;
    await ports.clock.sleep(
      Math.min(Math.max(2000, asked), Math.max(0, until - ports.clock.now())),
      ports.cancelled,
    );
  }
}
