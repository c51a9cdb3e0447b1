import { AnswerError } from "../api/errors.ts";
import { ActionError } from "../errors.ts";
import type { Ports } from "../ports.ts";
import { PathSegmentError } from "./routes.ts";

/** What no waiting will change: the key or the workspace is not accepted (contract, 3.1), or an id can't be asked for. */
function endsWatching(error: unknown): boolean {
  if (error instanceof PathSegmentError) return true;
  return error instanceof AnswerError && (error.status === 401 || error.status === 403);
}

/** Tells what a look failed at, once as long as it stays the same: a long outage is one line. */
export class MissTeller {
  readonly #log: Ports["log"];
  #told: string | undefined;

  constructor(log: Ports["log"]) {
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
export async function tryLook<T>(look: () => Promise<T>, ports: Ports): Promise<Looked<T>> {
  try {
    return { seen: await look() };
  } catch (error) {
    ports.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    return { error };
  }
}

/** Like `tryLook`, but what ends watching isn't borne. */
export async function bear<T>(look: () => Promise<T>, ports: Ports): Promise<Looked<T>> {
  const looked = await tryLook(look, ports);
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
  ports: Ports,
): Promise<T | undefined> {
  const misses = new MissTeller(ports.log);
  for (;;) {
    const last = ports.clock.now() >= until;
    const result = await bear(look, ports);
    if ("seen" in result && result.seen !== undefined) return result.seen;
    if ("error" in result) misses.tell(`${result.error.message} Looking again.`);
    if (last) return undefined;
    const asked = "error" in result && result.error instanceof AnswerError ? (result.error.pauseMs ?? 0) : 0;
    await ports.clock.sleep(
      Math.min(Math.max(2000, asked), Math.max(0, until - ports.clock.now())),
      ports.cancelled,
    );
  }
}
