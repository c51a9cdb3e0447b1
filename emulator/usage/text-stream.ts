/** Text that is sent while it is made. */

/** What is sent at once: large enough to be quick, small enough to be nothing in memory. */
const CHUNK_CHARACTERS = 64 * 1024;

/** A stream of UTF-8 that asks for further parts only when the reader takes them. */
export function streamOf(parts: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      let text = "";
      while (text.length < CHUNK_CHARACTERS) {
        const next = parts.next();
        if (next.done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += next.value;
      }
      controller.enqueue(encoder.encode(text));
    },
    cancel() {
      parts.return?.();
    },
  });
}
