import type { Context } from "../context.ts";
import { ActionError } from "../errors.ts";
import { ResponseError } from "../http/response-error.ts";
import { PathSegmentError } from "./routes.ts";

/** What no waiting will change: the key or the workspace is not accepted (contract, 3.1), or an id can't be asked for. */
function endsWatching(error: unknown): boolean {
  if (error instanceof PathSegmentError) return true;
  return error instanceof ResponseError && (error.status === 401 || error.status === 403);
}

/** Tells what a look failed at, once as long as it stays the same: a long outage is one line. */
export class DedupingLogger {
  readonly #log: Context["log"];
  #told: string | undefined;

  constructor(log: Context["log"]) {
    this.#log = log;
  }

  tell(message: string): void {
    if (message !== this.#told) this.#log.info(message);
    this.#told = message;
  }

  /** A look succeeded: the next failure is news again. */
  clear(): void {
    this.#told = undefined;
  }
}

/** What a look brought: `seen`, or the error that a failed look is borne with. */
type Looked<T> = { readonly seen: T } | { readonly error: ActionError };

/**
 * A look that the run can do without: whatever it fails at is borne. What is no `ActionError` is a defect here and
 * goes on its way, as does the cancellation.
 */
export async function tryLook<T>(look: () => Promise<T>, context: Context): Promise<Looked<T>> {
  try {
    return { seen: await look() };
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    return { error };
  }
}

/** Like `tryLook`, but what ends watching isn't borne. */
export async function bear<T>(look: () => Promise<T>, context: Context): Promise<Looked<T>> {
  const looked = await tryLook(look, context);
  if ("error" in looked && endsWatching(looked.error)) throw looked.error;
  return looked;
}

/**
 * Looks every two seconds until something is seen, and once more at the end. `until`: milliseconds since the epoch.
 * Failed looks are borne; undefined where nothing was seen.
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  until: number,
  context: Context,
): Promise<T | undefined> {
  const misses = new DedupingLogger(context.log);
  for (;;) {
    const last = context.clock.now() >= until;
    const result = await bear(look, context);
    if ("seen" in result && result.seen !== undefined) return result.seen;
    if ("error" in result) misses.tell(`${result.error.message} Looking again.`);
    if (last) return undefined;
    const asked =
      "error" in result && result.error instanceof ResponseError ? (result.error.pauseMs ?? 0) : 0;
    await context.clock.sleep(
      Math.min(Math.max(2000, asked), Math.max(0, until - context.clock.now())),
      context.cancelled,
    );
  }
}
