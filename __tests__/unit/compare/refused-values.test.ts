import { expect, test } from "@jest/globals";
import { checkAgainstAjv } from "./support/ajv-oracle.ts";

const numRuns = 60 * Number(process.env.PROPERTY_RUNS ?? 1);

test.each(["input", "output", "state"] as const)(
  "%s: no value is refused if a comparison finds nothing",
  (kind) => {
    const compared = checkAgainstAjv(kind, { seed: 1, numRuns });

    expect(compared).toBeGreaterThan(numRuns / 40);
  },
);
