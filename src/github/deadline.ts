/** The end of one request's time. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called when the request is over. */
  release(): void;
}

/**
 * Aborts after so many milliseconds, and so many after a cancel at the latest. Real time: a request takes it,
 * whatever the action's clock says.
 */
export function deadline(timeoutMs: number, cancelled: AbortSignal, afterCancelMs: number): Deadline {
  const controller = new AbortController();
  const end = () => controller.abort();
  const timers = [setTimeout(end, cancelled.aborted ? Math.min(timeoutMs, afterCancelMs) : timeoutMs)];
  const hurry = () => timers.push(setTimeout(end, afterCancelMs));
  cancelled.addEventListener("abort", hurry, { once: true });
  return {
    signal: controller.signal,
    release() {
      for (const timer of timers) clearTimeout(timer);
      cancelled.removeEventListener("abort", hurry);
    },
  };
}
