import { dimensionKeys, type GroupBy, type Stride, type UsageResponse } from "./schemas.ts";

/** The traces of one workspace, project, user or API key in the whole range. */
interface DimensionTotal {
  /** Empty if the platform gives none. */
  readonly id: string;
  /** The last reported name of a workspace or project, or address of a user. */
  readonly name: string | undefined;
  readonly traces: number;
}

export interface UsageTotals {
  readonly traces: number;
  readonly stride: Stride;
  /** Each workspace, project, user or API key with a line in the report, the largest first. */
  readonly dimensions: readonly DimensionTotal[];
  /** The traces of each time bucket with usage, by its start as the platform writes it. */
  readonly buckets: ReadonlyMap<string, number>;
}

export function sumUsage({ stride, usage }: UsageResponse, groupBy: GroupBy): UsageTotals {
  const [idKey, nameKey]: readonly [id: string, name?: string] = dimensionKeys[groupBy];
  const dimensions = new Map<string, DimensionTotal>();
  const buckets = new Map<string, number>();
  for (const { dimensions: values, time_bucket: start, traces } of usage) {
    const id = values[idKey] ?? "";
    const known = dimensions.get(id);
    const name = (nameKey && values[nameKey]) ?? known?.name;
    dimensions.set(id, { id, name, traces: traces + (known?.traces ?? 0) });
    if (traces > 0) buckets.set(start, traces + (buckets.get(start) ?? 0));
  }
  return {
    traces: sumOf(usage),
    stride,
    dimensions: [...dimensions.values()].sort((left, right) => right.traces - left.traces),
    buckets,
  };
}

export function sumOf(parts: readonly { readonly traces: number }[]): number {
  return parts.reduce((sum, { traces }) => sum + traces, 0);
}
