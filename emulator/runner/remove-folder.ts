import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes a folder with everything in it, also where a build took the right to write away, as Go does with its cache of
 * modules (https://go.dev/ref/mod#module-cache).
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await remove(folder);
  } catch {
    await allowWriting(folder);
    await remove(folder);
  }
}

/** Repeats what fails while a process that is about to end writes into the folder. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function allowWriting(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await allowWriting(join(folder, entry.name));
}
