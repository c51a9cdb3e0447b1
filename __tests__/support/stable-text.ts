const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/**
 * A text for a snapshot: ids are numbered as they appear, a shortened one ends in `…`, one that is never shown in full is `id-?…`, and
 * ports are left out.
 */
export function stableText(text: string): string {
  const ids = [...new Set(text.match(uuid))];
  const withIds = ids.reduce(
    (shown, id, index) =>
      shown.replaceAll(id, `id-${index + 1}`).replaceAll(id.slice(0, 8), `id-${index + 1}…`),
    text,
  );
  return withIds.replace(/`[\da-f]{8}`/g, "`id-?…`").replace(/127\.0\.0\.1:\d+/g, "127.0.0.1");
}

/** The same of its heading, and of what it says below: why the run ended, and what to do next. */
export function stableHead(markdown: string): string {
  const lines = stableText(markdown).split("\n");
  return lines.filter((line) => /^(?:##|> )/.test(line)).join("\n");
}
