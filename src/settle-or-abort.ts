/**
 * Settles like `work`, or rejects with the signal's reason as soon as that is aborted. Not everything notices an abort: a
 * proxy may leave a tunnel without a response, and a file system may hang.
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
