/** What an environment depends on, in a short text. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** Files that may say what to install, or be installed. Any other text file costs a build at worst. */
const NAMES = /(^setup\.py|\.(toml|cfg|conf|txt|in|lock|whl|gz))$/;
/** Folders in which nobody looks for requirements. */
const SKIPPED = new Set(["node_modules", ".git"]);

/**
 * A digest that is the same as long as an environment for the checkout may be used again.
 * @param settings what is decided elsewhere: the Python, the configuration
 */
export async function dependencyDigest(checkout: string, settings: unknown): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(settings));
  for (const path of (await filesBelow(checkout, "")).toSorted()) {
    const content = createHash("sha256");
    await pipeline(createReadStream(join(checkout, path)), content);
    hash.update(JSON.stringify([path, content.digest("hex")]));
  }
  return hash.digest("hex").slice(0, 16);
}

async function filesBelow(checkout: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(checkout, folder), { withFileTypes: true });
  const found = entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(checkout, path);
    return entry.isFile() && NAMES.test(entry.name) ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}
