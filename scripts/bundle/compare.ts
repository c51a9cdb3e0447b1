import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The differences between a folder and what it should be, as sentences, in the order of the file names. */
export function differences(expected: string, actual: string): string[] {
  const wanted = files(expected);
  const found = files(actual);
  return [...new Set([...wanted, ...found])].sort().flatMap((file) => {
    if (!found.has(file)) return [`${file} is missing`];
    if (!wanted.has(file)) return [`${file} should not be there`];
    return readFileSync(join(expected, file)).equals(readFileSync(join(actual, file)))
      ? []
      : [`${file} differs`];
  });
}

function files(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
}
