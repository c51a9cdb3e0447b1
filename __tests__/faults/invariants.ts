/**
 * What has to hold of every run, whatever went wrong: the run's word against the platform's own state, against what
 * its proxy let through, and against where its secrets went. Each check answers with what is wrong, if anything.
 */
import { bounds } from "./invariants/bounds.ts";
import type { Check } from "./invariants/check.ts";
import { duplicates } from "./invariants/duplicates.ts";
import { leaks } from "./invariants/leaks.ts";
import { outputs } from "./invariants/outputs.ts";
import { truth } from "./invariants/truth.ts";
import type { Observation } from "./observation.ts";

const checks = [
  ["truth", truth],
  ["duplicate", duplicates],
  ["leak", leaks],
  ["bounds", bounds],
  ["outputs", outputs],
] as const satisfies readonly (readonly [string, readonly Check[]])[];

/** What kind of thing is wrong. */
export type Kind = (typeof checks)[number][0];

/** What is wrong with a run. */
export interface Problem {
  readonly kind: Kind;
  readonly text: string;
}

/** Everything that is wrong with a run. */
export function problemsOf(run: Observation): readonly Problem[] {
  return checks.flatMap(([kind, ofKind]) =>
    ofKind.flatMap((check) => check(run).map((text) => ({ kind, text }))),
  );
}
