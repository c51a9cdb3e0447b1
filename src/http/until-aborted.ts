/**
 * Settles as the step does, or with the signal's reason as soon as that is aborted: not every transport hears of an
 * abort. A proxy may leave a tunnel unanswered, and what waits for that tunnel isn't told.
 */
export async function untilAborted<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
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
