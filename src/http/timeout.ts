import { Failure } from "../errors.ts";
import { type Message, text } from "../text/message.ts";
import { ConnectionError, connectionError, type RequestInfo } from "./connection-error.ts";

export interface TimeLimit {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Does `work` with a request, all within a time.
 *
 * @throws ConnectionError if `work` fails or its time is up, its own Failures, and the signal's reason if that was aborted
 */
export function withTimeout<T>(
  request: RequestInfo,
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const missing = text`no complete response within ${limit.timeoutMs / 1000} s`;
  return limitTime(request, limit, missing, work);
}

/**
 * Does `work` with a request and limits the time in which nothing is sent or received; `work` calls `onData` when something
 * is.
 *
 * @throws what `withTimeout` throws.
 */
export function withIdleTimeout<T>(
  request: RequestInfo,
  limit: TimeLimit,
  work: (signal: AbortSignal, onData: () => void) => Promise<T>,
): Promise<T> {
  return limitTime(request, limit, text`no data for ${limit.timeoutMs / 1000} s`, work);
}

/** `missing`: what did not come in the time. */
async function limitTime<T>(
  request: RequestInfo,
  { timeoutMs, signal: cancelled }: TimeLimit,
  missing: Message,
  work: (signal: AbortSignal, restart: () => void) => Promise<T>,
): Promise<T> {
  return await withTimer(timeoutMs, async (timeUp, restart) => {
    const signal = AbortSignal.any([cancelled, timeUp]);
    try {
      return await settleOrAbort(work(signal, restart), signal);
    } catch (error) {
      cancelled.throwIfAborted();
      if (error instanceof Failure) throw error;
      throw timeUp.aborted
        ? new ConnectionError(request, missing, { kind: "timeout", sent: true, cause: error })
        : connectionError(request, error);
    }
  });
}

/** Does `work`, whose signal is aborted with `reason` when the time is up. `restart` begins that time anew. */
export async function withTimer<T>(
  timeoutMs: number,
  work: (timeUp: AbortSignal, restart: () => void) => Promise<T>,
  reason?: Error,
): Promise<T> {
  const timeUp = new AbortController();
  // Unlike that of `AbortSignal.timeout`, this timer keeps the process alive.
  const timer = setTimeout(() => timeUp.abort(reason), timeoutMs);
  try {
    return await work(timeUp.signal, () => timer.refresh());
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Settles like `step`, or rejects with the signal's reason as soon as that is aborted. Not every step notices an abort: a
 * proxy may leave a tunnel unanswered, and a file system may hang.
 */
export async function settleOrAbort<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([step, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
