import { asObject } from "../text/json.ts";
import type { Platform } from "./platforms.ts";

type Names = Platform["wireNames"];

/** The body of a request with the platform's names of fields. */
export function toWire(body: unknown, { wireNames }: Pick<Platform, "wireNames">): unknown {
  const request = asObject(body);
  const config = asObject(request?.source_revision_config);
  return config === undefined ? body : { ...request, source_revision_config: renamed(config, wireNames) };
}

/** A response (deployment, revision or a list of them) with the names of `schemas.ts`. */
export function fromWire(body: unknown, { wireNames }: Pick<Platform, "wireNames">): unknown {
  const names = Object.fromEntries(Object.entries(wireNames).map(([ours, theirs]) => [theirs, ours]));
  return Object.keys(names).length === 0 ? body : translated(body, names);
}

function translated(body: unknown, names: Names): unknown {
  if (Array.isArray(body)) return body.map((item) => translated(item, names));
  const result = asObject(body);
  if (result === undefined) return body;
  const config = asObject(result.source_revision_config);
  if (config !== undefined) result.source_revision_config = renamed(config, names);
  if (Array.isArray(result.resources)) result.resources = translated(result.resources, names);
  return result;
}

function renamed(fields: Readonly<Record<string, unknown>>, names: Names): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));
}
