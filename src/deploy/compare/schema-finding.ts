import type { SchemaDifference, SchemaObstacle } from "../../results/comparison.ts";

/** A difference between two schemas. `path`: names of properties, from the root. */
export interface SchemaFinding {
  readonly path: readonly string[];
  readonly difference: SchemaDifference;
}

/** More than anybody reads. */
export const maxFindings = 100;

export function here(difference: SchemaDifference): SchemaFinding {
  return { path: [], difference };
}

/** The same may be found for each type that a property can have. */
export function distinct(findings: readonly SchemaFinding[]): SchemaFinding[] {
  const byText = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...byText.values()];
}

/** Differences that break count more than those that can't be compared. */
export function weight(findings: readonly SchemaFinding[]): number {
  return findings.reduce((sum, { difference }) => sum + (isObstacle(difference) ? 1 : maxFindings), 0);
}

export function isObstacle(difference: SchemaDifference): difference is SchemaObstacle {
  return ["keyword", "reference", "required_hidden", "too_large"].includes(difference.kind);
}
