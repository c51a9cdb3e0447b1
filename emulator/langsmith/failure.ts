/** Why a revision ended badly, in words such as a platform finds. */
import type { Step } from "../lifecycle.ts";

const REASONS = new Map([
  ["CREATE_FAILED", "The revision could not be created: the workspace has no capacity left."],
  ["BUILD_FAILED", "The image could not be built: installing the dependencies ended with code 1."],
  ["DEPLOY_FAILED", "The server did not become healthy: it ended with code 1 while it started."],
  ["INTERRUPTED", "The revision was interrupted."],
  ["SKIPPED", "The revision was skipped: a newer one took its place."],
]);

/** What `status_message` says; null where there is nothing to say. */
export function reasonOf({ status, message }: Step): string | null {
  if (message !== undefined) return message;
  return REASONS.get(status) ?? (status.includes("FAILED") ? `The revision ended as ${status}.` : null);
}
