import fc from "fast-check";
import { times } from "../../support/times.ts";

type Arbitraries<Values extends [unknown, ...unknown[]]> = {
  [Place in keyof Values]: fc.Arbitrary<Values[Place]>;
};

/** Plays so many times, with any of these values. */
export function forAny<Values extends [unknown, ...unknown[]]>(
  runs: number,
  values: Arbitraries<Values>,
  play: (...values: Values) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty<Values>(...values, play), times(runs));
}
