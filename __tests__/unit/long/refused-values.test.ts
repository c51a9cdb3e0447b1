import { expect, test } from "@jest/globals";
import { checkAgainstAjv } from "../compare/support/ajv-oracle.ts";

const numRuns = 500 * Number(process.env.PROPERTY_RUNS ?? 1);

test.each(["input", "output", "state"] as const)(
  "%s: no value is refused if a comparison of many pairs finds nothing",
  (kind) => {
    const compared = checkAgainstAjv(kind, { numRuns });

    expect(compared).toBeGreaterThan(numRuns / 40);
  },
  600_000,
);
