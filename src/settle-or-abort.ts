/**
 * Settles like `work`, or rejects with the signal's reason as soon as that is aborted. It is for work that may not notice an
 * abort, such as a tunnel through a proxy that does not respond, or a file system that hangs.
 */
export async function settleOrAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
