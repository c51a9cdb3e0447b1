import type { GroupBy, Stride, UsageItem } from "../../../../src/usage/schemas.ts";
import { UsageSum, type UsageTotals } from "../../../../src/usage/totals.ts";

/** Adds up items that are there at once, without secrets in them. */
export function totalUsage(usage: readonly UsageItem[], stride: Stride, groupBy: GroupBy): UsageTotals {
  const sum = new UsageSum(groupBy);
  for (const item of usage) sum.add(item);
  return sum.totals(stride, { value: (text) => text });
}
