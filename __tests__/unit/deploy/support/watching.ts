import { revisionBaseline } from "../../../../src/deploy/apply/revision-history.ts";
import { watch } from "../../../../src/deploy/watch/watch.ts";
import type { RunFacts } from "../../../../src/report/facts.ts";
import type { WatchResult } from "../../../../src/results/watch.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { type Script, scriptedPlatform } from "./scripted-platform.ts";

/** This run's revision. */
export const ours = {
  deploymentId: "agent",
  revisionId: "ours",
  source: {},
  requestedAt: 0,
  baseline: revisionBaseline({ listed: [], isComplete: true }, { latestRevisionId: null }),
  liveBefore: undefined,
};

export const watchOptions = {
  wait: true,
  timeoutMs: 100_000,
  pollIntervalMs: 3000,
  buildLog: "off",
  interruptOnCancel: false,
} as const;

export interface Watching {
  /** This run's revision is `ours`. */
  readonly ours: Script;
  /** Another revision of the deployment, `other`. */
  readonly other?: Script;
  readonly deployment?: Script;
  /** Ids of the revisions that existed before the request. */
  readonly before?: readonly string[];
  readonly timeoutSeconds?: number;
  /** When the run is cancelled, in seconds after the request, and why. */
  readonly cancelAt?: number;
  readonly reason?: Error;
  readonly interruptOnCancel?: boolean;
}

export interface Watched {
  /** How the watch ended, or what it threw. */
  readonly result: WatchResult | undefined;
  readonly error: unknown;
  readonly lines: readonly { readonly kind: string; readonly text: string }[];
  readonly facts: RunFacts;
  /** When the revision was polled, in seconds after the request. */
  readonly polls: readonly number[];
  readonly deploymentReads: number;
  readonly interrupts: number;
}

/** Watches this run's revision on a scripted platform. */
export async function watching(given: Watching): Promise<Watched> {
  const context = recordingContext({});
  const { clock, recorded, report } = context;
  const { timeoutSeconds = 100, before = [], cancelAt, reason = new Error("cancelled") } = given;
  const scripts = {
    "": given.deployment ?? (() => ({})),
    "/revisions/ours": given.ours,
    "/revisions/other": given.other,
    "/revisions/ours/interrupt": () => ({}),
  };
  const { requests, ...platform } = await scriptedPlatform(scripts, context);
  const baseline = { ...ours.baseline, ids: new Set(before) };
  const options = {
    ...watchOptions,
    timeoutMs: timeoutSeconds * 1000,
    interruptOnCancel: given.interruptOnCancel ?? false,
  };
  const job = { ...context, ...platform, options };
  if (cancelAt !== undefined) clock.at(cancelAt * 1000, () => context.cancel(reason));
  report.deploymentId("agent");
  recorded.lines.splice(0);
  let result: WatchResult | undefined;
  let error: unknown;
  try {
    result = await watch(job, { ...ours, requestedAt: clock.now(), baseline });
  } catch (thrown) {
    error = thrown;
  }
  return {
    result,
    error,
    lines: recorded.lines,
    facts: report.facts,
    polls: requests["/revisions/ours"] ?? [],
    deploymentReads: requests[""]?.length ?? 0,
    interrupts: requests["/revisions/ours/interrupt"]?.length ?? 0,
  };
}
