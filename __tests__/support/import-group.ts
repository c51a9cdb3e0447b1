import { globSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const tests = join(import.meta.dirname, "..");

/**
 * Imports the test files of a folder into the file of `groups/` that is called after it, so that what they import is
 * loaded once, not once per file. `security.ts` imports all of `security/`. If there are `emulator-1.ts` and `emulator-2.ts`,
 * each imports half of the emulator's tests, without those in a folder `long`.
 */
export async function importGroup(groupFile: string): Promise<void> {
  const folder = folderOf(basename(groupFile));
  const parts = readdirSync(dirname(groupFile)).filter((file) => folderOf(file) === folder);
  const part = parts.indexOf(basename(groupFile));
  const place = folder === "emulator" ? "../emulator/__tests__" : folder;
  const found = globSync(`${place}/**/*.test.ts`, { cwd: tests });
  const files = found.filter((file) => dirname(file) !== join(place, "long")).sort();
  for (const file of files.filter((_, index) => index % parts.length === part))
    await import(join(tests, file));
}

function folderOf(groupFile: string): string {
  return groupFile.replace(/(-\d+)?\.ts$/, "");
}
