const units = ["bytes", "kB", "MB", "GB", "TB"];

/** A size in bytes as people say it: `1_234_567` is `1.2 MB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // What would be rounded up to a thousand is one of the next unit.
  for (; size >= (unit === 0 ? 1000 : 999.95) && unit < units.length - 1; unit += 1) size /= 1000;
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
