import { noRevisions } from "../../../../src/deploy/apply/match-revision.ts";
import { type WatchResult, watchRevision } from "../../../../src/deploy/watch/watch.ts";
import type { RunEvent } from "../../../../src/events.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { type Script, scriptedPlatform } from "./scripted-platform.ts";

export interface Watching {
  /** This run's revision is `ours`. */
  readonly ours: Script;
  /** Another revision of the deployment, `other`. */
  readonly other?: Script;
  readonly deployment?: Script;
  /** Ids of the revisions that existed before the write. */
  readonly before?: readonly string[];
  readonly timeoutSeconds?: number;
  readonly typicalSeconds?: number;
  /** When the run is cancelled, in seconds after the write. */
  readonly cancelAt?: number;
  readonly onCancel?: () => Promise<void>;
}

export interface Watched extends WatchResult {
  readonly lines: readonly { readonly kind: string; readonly text: string }[];
  readonly events: readonly RunEvent[];
  /** When the revision was polled, in seconds after the write. */
  readonly polls: readonly number[];
  readonly deploymentReads: number;
}

/** Watches this run's revision on a scripted platform. */
export async function watching(given: Watching): Promise<Watched> {
  const context = recordingContext({});
  const { clock, recorded } = context;
  const { timeoutSeconds = 100, typicalSeconds, before = [], cancelAt, onCancel } = given;
  const scripts = {
    "": given.deployment ?? (() => ({})),
    "/revisions/ours": given.ours,
    "/revisions/other": given.other,
  };
  const { controlPlane, requests } = await scriptedPlatform(scripts, context);
  const applied = {
    deploymentId: "agent",
    revisionId: "ours",
    source: {},
    writtenAt: clock.now(),
    before: { ...noRevisions, ids: new Set(before) },
    liveBefore: undefined,
  };
  const options = {
    timeoutMs: timeoutSeconds * 1000,
    maxDelayMs: 4000,
    typicalMs: typicalSeconds && typicalSeconds * 1000,
    ...(onCancel && { onCancel }),
  };
  if (cancelAt !== undefined) clock.at(cancelAt * 1000, () => context.cancel(new Error("cancelled")));
  const result = await watchRevision(applied, options, controlPlane, context);
  return {
    ...result,
    lines: recorded.lines,
    events: recorded.events,
    polls: requests["/revisions/ours"] ?? [],
    deploymentReads: requests[""]?.length ?? 0,
  };
}
