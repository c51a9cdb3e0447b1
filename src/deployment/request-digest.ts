import { createHmac } from "node:crypto";
import { titleOf } from "../inputs/target.ts";
import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import type { DeploymentPlan } from "./plan.ts";

/** In hexadecimal digits: 128 bits, so that no two requests meet by chance. */
const shownDigits = 32;

/**
 * A fingerprint of all that a run would send, and to which workspace: equal only where it is the same, whatever the
 * order in which an object's fields were given.
 *
 * It is kept in a record that everybody may read, and it covers the secrets. Keyed with the API key, because a plain
 * hash would let anyone find a short secret by trying; only who has the key can tell what a digest is of.
 */
export function requestDigest(
  { target, create, update }: Pick<DeploymentPlan, "target" | "create" | "update">,
  { headers }: Pick<ControlPlaneSettings, "headers">,
): string {
  const { "x-api-key": key = "", "x-tenant-id": workspace } = headers;
  const request = { workspace, target: titleOf(target), create, update };
  return createHmac("sha256", key).update(canonical(request)).digest("hex").slice(0, shownDigits);
}

/** As JSON, the fields of each object in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function isObject(part: unknown): part is object {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

function sorted(object: object): object {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}
