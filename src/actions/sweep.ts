import type { Ending } from "../ending.ts";
import { type ActionError, bestEffort } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { GitHubClient } from "../github/client.ts";
import { listOwnRecords, type OwnRecord, originOf, readStates } from "../github/deployment-records.ts";
import { GitHubError } from "../github/errors.ts";
import { ConnectionError } from "../http/errors.ts";
import { ResponseError } from "../http/response-error.ts";
import { InputReader } from "../inputs/reader.ts";
import { readSweepInputs, type SweepInputs } from "../inputs/sweep.ts";
import { controlPlaneDigest } from "../platform/control-plane-digest.ts";
import { logObserver } from "../report/log-observer.ts";
import type { ActionContext } from "../report/run-report.ts";
import {
  countResults,
  SweepReport,
  type SweptPreview,
  stoppedSweepEnding,
  sweepEnding,
} from "../report/sweep.ts";
import { newestActive } from "./recorded-preview.ts";
import { previewsOf, type RecordedPreview } from "./sweep-plan.ts";
import { sweepPreview } from "./sweep-preview.ts";

/** The sweep action: deletes previews whose pull request is closed, or which are too old. */
export async function sweep(context: ActionContext): Promise<Ending> {
  const sweepReport = new SweepReport(context);
  context.observe(sweepReport, logObserver(context));
  const reader = new InputReader(context.env);
  const inputs = readSweepInputs(reader);
  sweepReport.isDryRun = inputs.dryRun;
  reader.finish(context.log);

  const { requestTimeoutMs } = inputs.controlPlane;
  const github = new GitHubClient({ token: inputs.githubToken, requestTimeoutMs }, context);
  const found = await bestEffort(() => findPreviews(inputs, github), context.cancelled);
  if ("error" in found) return stoppedSweepEnding(found.error, "No preview was checked.");
  const { previews, othersCount } = found.value;
  if (othersCount > 0) context.log.notice(describeOthers(othersCount));
  const { swept, checked, stoppedAt } = await sweepAll(previews, inputs, github, context, sweepReport);
  if (stoppedAt === undefined) return sweepEnding(swept, inputs.dryRun);
  const counts = countResults(swept, inputs.dryRun);
  return stoppedSweepEnding(stoppedAt, `${checked} of ${previews.length} previews were checked (${counts}).`);
}

/**
 * Up to this many records, the state of each is read by itself: that takes at most a twentieth of the 1,000 requests an
 * hour of a workflow's token, and works without GraphQL
 * (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
const maxReadSingly = 50;

interface FoundPreviews {
  readonly previews: readonly RecordedPreview[];
  /** How many more there are on another control plane or in another workspace. */
  readonly othersCount: number;
}

async function findPreviews(
  { environment, controlPlane }: SweepInputs,
  github: GitHubClient,
): Promise<FoundPreviews> {
  const all = await listOwnRecords(github, environment);
  const records = all.length <= maxReadSingly ? all : await withoutInactive(all, github);
  const digest = controlPlaneDigest(controlPlane);
  const [others = [], own = []] = [true, false].map((isOther) =>
    previewsOf(records.filter((record) => (originOf(record, digest) === "other") === isOther)),
  );
  let othersCount = 0;
  for (const preview of others) othersCount += (await newestActive(preview, github)) ? 1 : 0;
  return { previews: own, othersCount };
}

function describeOthers(count: number): string {
  const are = count === 1 ? "1 preview was" : `${count} previews were`;
  return `${are} left alone: the records are of another control plane or workspace. If they should be swept here, check control_plane_url (or region) and workspace_id.`;
}

/** A busy repository has thousands of records, nearly all of them inactive. */
async function withoutInactive(records: readonly OwnRecord[], github: GitHubClient): Promise<OwnRecord[]> {
  const states = await readStates(github, records);
  return records.filter(({ id }) => states.get(id) !== "inactive");
}

/** The log has nine annotations of a kind (src/runner/log.ts). One is left for how the sweep ends. */
const maxAnnotations = 8;

interface Sweep {
  readonly swept: readonly SweptPreview[];
  /** How many previews were checked. */
  readonly checked: number;
  /** The failure that every other preview would meet too. */
  readonly stoppedAt: ActionError | undefined;
}

/** Sweeps one preview after the other. A failure does not stop the others, unless they would meet it too. */
async function sweepAll(
  previews: readonly RecordedPreview[],
  inputs: SweepInputs,
  github: GitHubClient,
  context: RunContext,
  report: SweepReport,
): Promise<Sweep> {
  const swept: SweptPreview[] = [];
  let lastFailure: ActionError | undefined;
  for (const [index, recorded] of previews.entries()) {
    context.cancelled.throwIfAborted();
    const attempt = () => sweepPreview(recorded, inputs, github, context, report);
    const result = await bestEffort(attempt, context.cancelled);
    const failure = "error" in result ? result.error : undefined;
    if (failure && concernsAll(failure, lastFailure)) return { swept, checked: index, stoppedAt: failure };
    lastFailure = failure;
    const preview = "value" in result ? result.value : failedPreview(recorded.name, result.error);
    if (preview === undefined) continue;
    logFailure(preview, swept, context);
    swept.push(preview);
    report.add(preview);
  }
  return { swept, checked: previews.length, stoppedAt: undefined };
}

function failedPreview(name: string, { message, hint }: ActionError): SweptPreview {
  return { name, result: "failed", why: message, hint };
}

function logFailure(
  { name, result, why, hint }: SweptPreview,
  swept: readonly SweptPreview[],
  { log }: RunContext,
): void {
  if (result !== "failed") return;
  const text = `${name}: ${why} ${hint}`;
  const failures = swept.filter((preview) => preview.result === "failed").length;
  if (failures < maxAnnotations) log.error(text);
  else log.info(text);
}

/**
 * Whether the next preview would meet the same failure: a refused key, a missing permission of the GitHub token, a rate
 * limit or a proxy. What may be the trouble of one preview alone counts if two previews in a row have it.
 */
function concernsAll(error: ActionError, previous: ActionError | undefined): boolean {
  if (error instanceof GitHubError) {
    return ["rate_limit", "proxy"].includes(error.kind) || error.status === 401 || error.status === 403;
  }
  if (error instanceof ResponseError && error.status === 401) return true;
  const cause = sharedCause(error);
  return cause !== undefined && previous !== undefined && cause === sharedCause(previous);
}

/** What may concern other previews too; undefined for what surely concerns one alone. */
function sharedCause(error: ActionError): "no connection" | "forbidden" | "no API" | undefined {
  if (error instanceof ConnectionError) return "no connection";
  if (!(error instanceof ResponseError)) return undefined;
  if (error.status === 403) return "forbidden";
  return error.status === 404 && !error.isFromApi ? "no API" : undefined;
}
