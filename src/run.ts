import { checkAction } from "./actions/check-action.ts";
import { deleteAction } from "./actions/delete-action.ts";
import { deployAction } from "./actions/deploy-action.ts";
import { oauthProviderAction } from "./actions/oauth-provider-action.ts";
import { postStep } from "./actions/post-step.ts";
import { previewAction } from "./actions/preview-action.ts";
import { rollbackAction } from "./actions/rollback-action.ts";
import { sweepAction } from "./actions/sweep-action.ts";
import { usageAction } from "./actions/usage-action.ts";
import type { Context, Effects } from "./context.ts";
import {
  CancelledError,
  type Ending,
  Failure,
  ifReplacedHint,
  rollBackAgainHint,
  type SuccessEnding,
  toError,
} from "./errors.ts";
import { maskSecretInputs, redactorFor } from "./inputs/masks.ts";
import { isSuccess } from "./outcomes.ts";
import { startHeartbeat } from "./report/heartbeat.ts";
import { MessageLog } from "./report/message-log.ts";
import type { OutputName } from "./report/outputs.ts";
import { Report } from "./report/report.ts";
import type { ActionTitles } from "./report/state.ts";
import { unfinishedWork } from "./report/unfinished-work.ts";
import { code, type Message, phrase, quote, text } from "./text/message.ts";

interface Action extends ActionTitles {
  /** The names of the outputs that it shares with a deploy, as in its action.yml. By default, all. */
  readonly outputs?: readonly OutputName[];
  /** Whether it reports no writes, so that it can't know whether it changed something: smoke tests may. */
  readonly reportsNoWrites?: boolean;
  readonly perform: (context: Context) => Promise<SuccessEnding>;
}

export const actions = {
  deploy: { title: "Deploy", subject: "Deployment", perform: deployAction },
  preview: { title: "Preview", perform: previewAction },
  sweep: { title: "Sweep", outputs: ["outcome"], perform: sweepAction },
  delete: {
    title: "Delete",
    subject: "Deployment",
    outputs: ["deployment_id", "outcome"],
    perform: deleteAction,
  },
  rollback: {
    title: "Rollback",
    subject: "Rollback of",
    // biome-ignore format: several a line
    outputs: [
      "deployment_id", "revision_id", "previous_revision_id", "rolled_back_to", "status",
      "outcome", "message", "deployment_url", "smoke_tests",
    ],
    perform: rollbackAction,
  },
  check: {
    title: "Check",
    outputs: ["outcome", "message", "smoke_tests", "contract_changes", "server_version"],
    reportsNoWrites: true,
    perform: checkAction,
  },
  usage: {
    title: "Usage",
    outputs: [],
    reportsNoWrites: true,
    perform: usageAction,
  },
  "oauth-provider": {
    title: "OAuth provider",
    outputs: [],
    perform: oauthProviderAction,
  },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;
/** `post` runs at the end of the job, even if the main step was killed. */
export type Phase = "main" | "post";

/**
 * Runs an action, and returns whether the step succeeds. A `post:` step always does. Every error is caught here and reported,
 * so this never rejects.
 */
export async function run(name: ActionName, phase: Phase, effects: Effects): Promise<boolean> {
  let redact: ReturnType<typeof redactorFor> | undefined;
  try {
    const { log, ...others } = effects;
    redact = maskSecretInputs(effects.env, log);
    const action: Action = actions[name];
    // The runner ignores the outputs of a post step, which does not know those of the main step.
    const outputs = phase === "post" ? [] : action.outputs;
    const context = { ...others, report: new Report({ ...effects, action, outputs, redact }) };
    if (phase === "post") {
      await postStep(context);
      return true;
    }
    const ending = await endingOf(context, action);
    await context.report.end(ending);
    return isSuccess(ending.outcome);
  } catch (thrown) {
    logInternalError(thrown, effects, redact);
    return phase === "post";
  }
}

async function endingOf(context: Context, action: Action): Promise<Ending> {
  const { report, clock } = context;
  const stopHeartbeat = startHeartbeat(report, clock);
  try {
    return await action.perform(context);
  } catch (thrown) {
    return endingOfError(toError(thrown), report, action);
  } finally {
    stopHeartbeat();
  }
}

function endingOfError(error: Error, report: Report, { reportsNoWrites = false }: Action): Ending {
  const isCancelled = error instanceof CancelledError;
  const sentNothing = isCancelled && !reportsNoWrites && report.state.writes.length === 0;
  const noChanges = sentNothing ? text`No changes were sent to the control plane.` : undefined;
  const failure = error instanceof Failure ? error : internalFailure(error, report);
  const { ending } = failure.addDetails(unfinishedWork(report.state, error) ?? noChanges);
  // To run the job again would deploy what failed its checks, or roll back too far.
  const rollsBack = isCancelled && report.state.rollback !== undefined;
  return rollsBack ? { ...ending, hint: text`${ifReplacedHint} ${rollBackAgainHint}` } : ending;
}

/** Logs where a bug of this action is, and returns the failure that a run with it ends with. */
function internalFailure(error: Error, report: Report): Failure {
  report.stack(error);
  return new Failure(internalErrorMessage(error), { headline: phrase`internal error`, hint: reportBugHint });
}

const internalError = "Internal error";
const reportBugHint = text`This is a bug of this action. Please report it with this log.`;

function internalErrorMessage({ message }: Error): Message {
  return text`Internal error: ${quote(message)}.`;
}

/** Logs a bug of this action, without secrets, if the run can't report it as its ending. `redact`: the run's, if it has one. */
export function logInternalError(
  thrown: unknown,
  effects: Pick<Effects, "log" | "env">,
  redact?: ReturnType<typeof redactorFor>,
): void {
  const error = toError(thrown);
  let log: MessageLog;
  try {
    log = new MessageLog(effects.log, redact ?? redactorFor(effects.env));
  } catch {
    // The message may quote a secret, and nothing can be redacted yet.
    const message = `${internalError}: ${error.name} before the secrets of this run were known. Please report it with this log.`;
    effects.log.error(message, { title: internalError });
    return;
  }
  log.error(text`${internalErrorMessage(error)} ${reportBugHint}`, { title: code(internalError) });
  log.stack(error);
}
