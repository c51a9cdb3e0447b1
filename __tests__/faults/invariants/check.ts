import type { Observation } from "../observation.ts";

/** What has to hold of a run; it answers with what is wrong, if anything. */
export type Check = (run: Observation) => readonly string[];
