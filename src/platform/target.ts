import type { DeploymentId } from "./ids.ts";

/** The deployment that an action is about. An id takes precedence over a name. */
export type Target =
  | { readonly kind: "id"; readonly id: DeploymentId }
  | { readonly kind: "name"; readonly name: string };

/** Returns the id or name of a target: it stands for the target in records, digests and messages. */
export function nameOrIdOf(target: Target): string {
  return target.kind === "id" ? target.id : target.name;
}

export function reportedNamesOf(target: Target) {
  return { shownName: nameOrIdOf(target), name: target.kind === "name" ? target.name : undefined };
}
