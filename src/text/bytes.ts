const units = ["bytes", "kB", "MB", "GB", "TB"];

/** A size in bytes as people say it: `1_234_567` is `1.2 MB`. */
export function spellBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
}
