import { createHash } from "node:crypto";

/** The smallest `name_max_length` into which every default name can be shortened. */
export const minNameLength = 20;

/** Shorter only if the number of the pull request leaves less room. */
const maxHashLength = 6;

/**
 * The name of a pull request's deployment, `<repository>-pr-<number>`, made of what the platforms allow: lower-case
 * letters, digits and dashes, a letter first. If it has to be shortened, a hash of the repository's full name
 * (`owner/name`) keeps it unique.
 */
export function previewName(repository: string, pullRequest: number, maxLength: number): string {
  const suffix = `-pr-${pullRequest}`;
  const base = toLabel(repository.slice(repository.lastIndexOf("/") + 1));
  if (base.length + suffix.length <= maxLength) return base + suffix;
  const hashLength = Math.min(maxHashLength, maxLength - suffix.length - "a-".length);
  const hash = createHash("sha256").update(repository.toLowerCase()).digest("hex").slice(0, hashLength);
  const baseLength = maxLength - suffix.length - hashLength - "-".length;
  return `${base.slice(0, baseLength).replace(/-$/, "")}-${hash}${suffix}`;
}

function toLabel(name: string): string {
  const dashed = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (dashed === "") return "preview";
  return /^[a-z]/.test(dashed) ? dashed : `preview-${dashed}`;
}

const taskPrefix = "preview:";

/** The task of a preview's deployment record on GitHub. */
export function previewRecordTask(name: string): string {
  return `${taskPrefix}${name}`;
}

/** The name of the preview that a record's task belongs to; undefined if it belongs to no preview. */
export function nameOfTask(task: string): string | undefined {
  return task.startsWith(taskPrefix) ? task.slice(taskPrefix.length) : undefined;
}
