import { createHash } from "node:crypto";

/** The smallest `name_max_length`: it leaves room for one letter of the repository's name with a number of nine digits. */
export const minNameLength = 20;

/** Hexadecimal digits. */
const hashLength = 5;

/**
 * The name of a pull request's deployment, `<repository>-<hash>-pr-<number>`, made of what the platforms allow:
 * lower-case letters, digits and dashes, a letter first. The hash of the repository's full name (`owner/name`) keeps
 * apart the previews of two repositories that have the same name or begin alike.
 */
export function previewName(repository: string, pullRequest: number, maxLength: number): string {
  const hash = createHash("sha256").update(repository.toLowerCase()).digest("hex").slice(0, hashLength);
  const suffix = `-${hash}-pr-${pullRequest}`;
  const base = toLabel(repository.slice(repository.lastIndexOf("/") + 1));
  return `${base.slice(0, maxLength - suffix.length).replace(/-$/, "")}${suffix}`;
}

/** The default name of older versions, with a hash only if it had to be cut. */
export function formerPreviewName(repository: string, pullRequest: number, maxLength: number): string {
  const suffix = `-pr-${pullRequest}`;
  const base = toLabel(repository.slice(repository.lastIndexOf("/") + 1));
  if (base.length + suffix.length <= maxLength) return base + suffix;
  const hash = createHash("sha256").update(repository.toLowerCase()).digest("hex").slice(0, 6);
  const baseLength = maxLength - suffix.length - hash.length - "-".length;
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
