import { createHash } from "node:crypto";

/** The shortest `name_max_length` in which a default name fits. */
export const minName = 20;

/** Fewer where the number is so long that a letter before it wouldn't fit. */
const usualHashLength = 6;

/**
 * The name of a pull request's deployment, `<repository>-pr-<number>`, fit for the platform: lower case, digits and
 * dashes, starting with a letter (platform-field-notes, Rules). Where it is shortened, a hash of the repository's full
 * name (`owner/name`) keeps it apart from others.
 */
export function previewName(repository: string, pullRequest: number, maxLength: number): string {
  const suffix = `-pr-${pullRequest}`;
  const base = fitted(repository.slice(repository.lastIndexOf("/") + 1));
  if (base.length + suffix.length <= maxLength) return base + suffix;
  const hashLength = Math.min(usualHashLength, maxLength - suffix.length - "a-".length);
  const hash = createHash("sha256").update(repository.toLowerCase()).digest("hex").slice(0, hashLength);
  const room = maxLength - suffix.length - hashLength - "-".length;
  return `${base.slice(0, room).replace(/-$/, "")}-${hash}${suffix}`;
}

function fitted(name: string): string {
  const dashed = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (dashed === "") return "preview";
  return /^[a-z]/.test(dashed) ? dashed : `preview-${dashed}`;
}

const taskPrefix = "preview:";

/** The task of a preview's record on GitHub (contract, 4). */
export function previewRecordTask(name: string): string {
  return `${taskPrefix}${name}`;
}

/** The preview's name that a record's task gives, undefined where it is no preview's. */
export function nameOfTask(task: string): string | undefined {
  return task.startsWith(taskPrefix) ? task.slice(taskPrefix.length) : undefined;
}
