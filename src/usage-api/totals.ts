import { DIMENSION_KEYS, type GroupBy, type Stride, type UsageItem } from "./schemas.ts";

/** What one workspace, project, user or API key used in the whole range. */
export interface DimensionTotal {
  /** Empty where the platform tells none. */
  readonly id: string;
  /** A workspace's or project's name, a user's address; the last one that was told. */
  readonly name: string | undefined;
  readonly traces: number;
}

/** What was used in one time bucket. */
export interface BucketTotal {
  /** As the platform tells it. */
  readonly start: string;
  readonly traces: number;
}

export interface UsageTotals {
  readonly traces: number;
  readonly stride: Stride;
  /** The largest first. */
  readonly dimensions: readonly DimensionTotal[];
  /** Those with usage, in the order of the answer. */
  readonly buckets: readonly BucketTotal[];
}

/** Adds up a usage report. */
export function totalUsage(usage: Iterable<UsageItem>, stride: Stride, groupBy: GroupBy): UsageTotals {
  const [idKey, nameKey] = keysOf(groupBy);
  const dimensions = new Map<string, { name: string | undefined; traces: number }>();
  const buckets = new Map<string, number>();
  let traces = 0;
  for (const item of usage) {
    const id = item.dimensions[idKey] ?? "";
    const sofar = dimensions.get(id);
    const name = (nameKey && item.dimensions[nameKey]) ?? sofar?.name;
    dimensions.set(id, { name, traces: (sofar?.traces ?? 0) + item.traces });
    buckets.set(item.time_bucket, (buckets.get(item.time_bucket) ?? 0) + item.traces);
    traces += item.traces;
  }
  return {
    traces,
    stride,
    dimensions: [...dimensions]
      .map(([id, total]) => ({ id, ...total }))
      .sort((one, other) => other.traces - one.traces || (one.id < other.id ? -1 : 1)),
    buckets: [...buckets]
      .filter(([, bucketTraces]) => bucketTraces > 0)
      .map(([start, bucketTraces]) => ({ start, traces: bucketTraces })),
  };
}

function keysOf(groupBy: GroupBy): readonly [id: string, name?: string] {
  return DIMENSION_KEYS[groupBy];
}
