import { canaries, type RandomPlan } from "./random-plan.ts";
import { ownRef, type Truth, timeoutSeconds } from "./random-run.ts";

type Check = (truth: Truth, plan: RandomPlan) => readonly string[];

/** What is wrong with a run, as sentences; empty if nothing is. */
export function problemsOf(truth: Truth, plan: RandomPlan): readonly string[] {
  return checks.flatMap((check) => check(truth, plan));
}

/**
 * A step succeeds only if its write took effect, and its revision is live. A revision of somebody else counts as this run's if it
 * is shown to deploy the same: docs/specification.md#which-revision-is-this-runs
 */
const greenIsTrue: Check = ({ run, own, deployment }, plan) => {
  if (!run.succeeded) return [];
  const { outcome, revision_id: id, rolled_back_to: earlier } = run.outputs;
  const revisions = deployment?.revisions ?? [];
  const place = revisions.findIndex((one) => one.id === (id ?? earlier));
  const revision = revisions[place];
  if (revision === undefined) return [`succeeded with revision ${id}, which does not exist`];
  const isShown = !plan.hidden.includes("source_revision_config");
  const mayBeOurs =
    own.includes(revision.id) || (isShown && revision.source_revision_config.repo_ref === ownRef(plan));
  const liveAt = revisions.findIndex((one) => one.id === deployment?.active_revision_id);
  const isLive = revision.status === "DEPLOYED" && liveAt >= 0 && liveAt <= place;
  return [
    ...(mayBeOurs ? [] : [`succeeded with revision ${id}, but its own are ${own.join(", ") || "none"}`]),
    ...(outcome === "started" || isLive
      ? []
      : [`succeeded, but ${id} is ${revision.status}, and ${deployment?.active_revision_id} is live`]),
  ];
};

const atMostOneEffect: Check = ({ own, created }) => [
  ...(own.length > 1 ? [`made ${own.length} revisions`] : []),
  ...(created > 1 ? [`made ${created} deployments`] : []),
];

/** Before the write as long as `timeout_seconds`, then the search for the revision, then `timeout_seconds` again. */
const endsInTime: Check = ({ run }) => (run.took > 2 * timeoutSeconds + 70 ? [`took ${run.took} s`] : []);

const endsAsItSays: Check = ({ run }) => {
  const { outcome = "" } = run.outputs;
  const isGreen = ["deployed", "started"].includes(outcome);
  const isKnown = isGreen || ["failed", "timed_out", "superseded", "interrupted"].includes(outcome);
  return [
    ...(isKnown ? [] : [`ended as ${outcome}`]),
    ...(isGreen === run.succeeded ? [] : [`ended as ${outcome}, but succeeded: ${run.succeeded}`]),
    ...(run.succeeded || run.errors.some((text) => text.length > 40) ? [] : ["failed without a reason"]),
    ...(run.log.includes("Internal error") ? ["reported an internal error"] : []),
  ];
};

/** A step that fails although its write took effect says so, or what may be left behind. */
const unfinishedWorkIsReported: Check = ({ run, own }) => {
  const [id] = own;
  if (run.succeeded || id === undefined || run.outputs.revision_id !== undefined) return [];
  const text = run.errors.join(" ");
  return /may |no new revision|left behind/.test(text) || text.includes(id)
    ? []
    : [`failed without naming revision ${id}, which it made`];
};

/** The secrets of the run; a rollback has none of the deployment. */
const noSecret: Check = ({ run, state }, { write }) => {
  const texts = [run.log, run.summary, JSON.stringify([run.outputs, state])];
  return [canaries.apiKey, ...(write === "rollback" ? [] : [canaries.secret])]
    .filter((secret) => texts.some((text) => text.includes(secret)))
    .map((secret) => `shows ${secret}`);
};

const checks: readonly Check[] = [
  greenIsTrue,
  atMostOneEffect,
  endsInTime,
  endsAsItSays,
  unfinishedWorkIsReported,
  noSecret,
];
