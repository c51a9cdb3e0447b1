import type { Context } from "../context.ts";
import { ActionError } from "../errors.ts";
import { GitHub } from "../github/client.ts";
import { newestStatesOf, type OwnRecord, ownRecords } from "../github/records.ts";
import { InputReader } from "../inputs/reader.ts";
import { readSweepInputs } from "../inputs/sweep.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { type SweepResult, sweepReporter } from "../report/sweep.ts";
import { endingAt, sweepEnding } from "../report/sweep-ending.ts";
import { previewsOf } from "./sweep-plan.ts";
import { type Sweep, sweepOne } from "./sweep-preview.ts";

/** The sweep action: deletes previews whose pull request is closed, or which are too old (contract, 5). */
export async function sweep(progress: Progress, context: Context): Promise<Ending> {
  const run = readWorkflowRun(context);
  const result: SweepResult = { swept: [], found: undefined, notSeen: 0, dryRun: false };
  progress.tell(sweepReporter(result, context), logReporter(context));
  const reader = new InputReader(context.env);
  const inputs = readSweepInputs(reader);
  result.dryRun = inputs.dryRun;
  reader.finish(context.log);
  const { githubToken: token, controlPlane } = inputs;
  const { requestTimeoutMs } = controlPlane;
  const github = new GitHub({ token, repository: run.repository, requestTimeoutMs }, context);
  try {
    await sweepAll({ inputs, run, github, result, progress, context, lastFailure: undefined });
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (error instanceof ActionError) return endingAt(error, result);
    throw error;
  }
  return sweepEnding(result);
}

async function sweepAll(sweep: Sweep): Promise<void> {
  const { github, inputs, result } = sweep;
  const records = await ownRecords(github, inputs.environment);
  const previews = previewsOf(records);
  result.found = previews.length;
  result.notSeen = previews.length;
  const left =
    records.length <= maxAskedSingly ? previews : previewsOf(await withoutInactive(records, github));
  for (const [index, preview] of left.entries()) {
    result.notSeen = left.length - index;
    await sweepOne(preview, sweep);
  }
  result.notSeen = 0;
}

/**
 * Up to so many records each one's state is asked for by itself: that works also where GraphQL doesn't answer this, and
 * takes at most a twentieth of the 1,000 requests an hour of a workflow's token (docs.github.com, Rate limits for the
 * REST API).
 */
const maxAskedSingly = 50;

/** A busy repository has thousands of records, nearly all of them inactive. */
async function withoutInactive(records: readonly OwnRecord[], github: GitHub): Promise<OwnRecord[]> {
  const states = await newestStatesOf(records, github);
  return records.filter(({ id }) => states.get(id) !== "inactive");
}
