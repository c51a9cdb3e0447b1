import type { Redactor } from "../text/redact.ts";
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

/** Adds up a usage report, item by item. */
export class UsageSum {
  readonly #idKey: string;
  readonly #nameKey: string | undefined;
  readonly #dimensions = new Map<string, { name: string | undefined; traces: number }>();
  readonly #buckets = new Map<string, number>();
  #traces = 0;

  constructor(groupBy: GroupBy) {
    [this.#idKey, this.#nameKey] = keysOf(groupBy);
  }

  add(item: UsageItem): void {
    const id = item.dimensions[this.#idKey] ?? "";
    const name = (this.#nameKey && item.dimensions[this.#nameKey]) ?? undefined;
    const known = this.#dimensions.get(id);
    if (known === undefined) {
      this.#dimensions.set(id, { name, traces: item.traces });
    } else {
      known.traces += item.traces;
      // Kept as it is where it is the same, so that the collector has less to do.
      if (name !== undefined && name !== known.name) known.name = name;
    }
    this.#buckets.set(item.time_bucket, (this.#buckets.get(item.time_bucket) ?? 0) + item.traces);
    this.#traces += item.traces;
  }

  /** The sum, without the secrets that a platform may have put into a name. */
  totals(stride: Stride, { value: redact }: Pick<Redactor, "value">): UsageTotals {
    return {
      traces: this.#traces,
      stride,
      dimensions: [...this.#dimensions]
        .map(([id, { name, traces }]) => ({ id: redact(id), name: name && redact(name), traces }))
        .sort((one, other) => other.traces - one.traces || (one.id < other.id ? -1 : 1)),
      buckets: [...this.#buckets]
        .filter(([, traces]) => traces > 0)
        .map(([start, traces]) => ({ start: redact(start), traces })),
    };
  }
}

function keysOf(groupBy: GroupBy): readonly [id: string, name?: string] {
  return DIMENSION_KEYS[groupBy];
}
