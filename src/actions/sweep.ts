import type { Context } from "../context.ts";
import type { Ending } from "../errors.ts";
import { type Failure, toResult } from "../errors.ts";
import { GitHubClient } from "../github/client.ts";
import { listOwnRecords, type OwnRecord, originOf, readStates } from "../github/deployment-records.ts";
import { GitHubError } from "../github/errors.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { ResponseError } from "../http/response-error.ts";
import { InputReader } from "../inputs/reader.ts";
import { readSweepInputs } from "../inputs/sweep.ts";
import { controlPlaneDigest } from "../platform/platforms.ts";
import { describeOthers, describeSweep } from "../report/sentences/sweep.ts";
import { logWriter } from "../report/writers/log.ts";
import { sweepWriter } from "../report/writers/sweep.ts";
import type { SweepResult, SweptPreview } from "../results/deletion.ts";
import { newestActive, previewsOf, type RecordedPreview } from "./recorded-preview.ts";
import { type SweepJob, sweepPreview } from "./sweep-preview.ts";

/** The sweep action: deletes previews whose pull request is closed, or which are too old. */
export async function sweep(context: Context): Promise<Ending> {
  const { report } = context;
  report.add(sweepWriter(context), logWriter(context));
  const reader = new InputReader(context.env);
  const inputs = readSweepInputs(reader);
  reader.finish(report);

  const settings = { token: inputs.githubToken, requestTimeoutMs: inputs.controlPlane.requestTimeoutMs };
  const github = new GitHubClient(settings, context);
  return describeSweep(await sweepAll({ ...context, inputs, github }));
}

/** Sweeps one preview after the other. A failure does not stop the others, unless they would meet it too. */
async function sweepAll(job: SweepJob): Promise<SweepResult> {
  const { inputs, report, cancelled } = job;
  const swept: SweptPreview[] = [];
  const isDryRun = inputs.dryRun;
  const listed = await toResult(() => findPreviews(job), cancelled);
  if ("error" in listed) {
    const none = { swept, othersCount: 0, checked: 0, total: undefined };
    return { kind: "stopped", error: listed.error, isDryRun, ...none };
  }
  const { previews, othersCount } = listed.value;
  if (othersCount > 0) report.notice(describeOthers(othersCount));
  let lastError: Failure | undefined;
  for (const [checked, recorded] of previews.entries()) {
    cancelled.throwIfAborted();
    const result = await toResult(() => sweepPreview(job, recorded), cancelled);
    const error = "error" in result ? result.error : undefined;
    if (error !== undefined && concernsAll(error, lastError)) {
      return { kind: "stopped", error, swept, isDryRun, othersCount, checked, total: previews.length };
    }
    lastError = error;
    const preview: SweptPreview | undefined =
      "value" in result ? result.value : { name: recorded.name, kind: "failed", error: result.error };
    if (preview === undefined) continue;
    swept.push(preview);
    report.swept(preview);
  }
  return { kind: "complete", isDryRun, swept, othersCount };
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

async function findPreviews({ inputs, github }: SweepJob): Promise<FoundPreviews> {
  const all = await listOwnRecords(github, inputs.environment);
  const records = all.length <= maxReadSingly ? all : await withoutInactive(all, github);
  const digest = controlPlaneDigest(inputs.controlPlane);
  const isOther = (record: OwnRecord) => originOf(record, digest) === "other";
  let othersCount = 0;
  for (const preview of previewsOf(records.filter(isOther))) {
    if (await newestActive(preview, github)) othersCount += 1;
  }
  return { previews: previewsOf(records.filter((record) => !isOther(record))), othersCount };
}

/** A busy repository has thousands of records, nearly all of them inactive. */
async function withoutInactive(records: readonly OwnRecord[], github: GitHubClient): Promise<OwnRecord[]> {
  const states = await readStates(github, records);
  return records.filter(({ id }) => states.get(id) !== "inactive");
}

/**
 * Whether the next preview would meet the same failure: a refused key, a missing permission of the GitHub token, a rate
 * limit or a proxy. What may be the trouble of one preview alone counts if two previews in a row have it.
 */
function concernsAll(error: Failure, previous: Failure | undefined): boolean {
  if (error instanceof GitHubError) {
    return ["rate_limit", "proxy"].includes(error.kind) || error.status === 401 || error.status === 403;
  }
  if (error instanceof ResponseError && error.status === 401) return true;
  const cause = sharedCause(error);
  return cause !== undefined && previous !== undefined && cause === sharedCause(previous);
}

/** What may concern other previews too; undefined for what surely concerns one alone. */
function sharedCause(error: Failure): "no connection" | "forbidden" | "no API" | undefined {
  if (error instanceof ConnectionError) return "no connection";
  if (!(error instanceof ResponseError)) return undefined;
  if (error.status === 403) return "forbidden";
  return error.status === 404 && !error.isFromApi ? "no API" : undefined;
}
