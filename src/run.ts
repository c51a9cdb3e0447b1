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
import { maskSecretInputs } from "./inputs/masks.ts";
import { isSuccess } from "./outcomes.ts";
import { MessageLog } from "./report/message-log.ts";
import type { ReportedAction } from "./report/outputs.ts";
import { Report } from "./report/report.ts";
import { unfinishedWork } from "./state/unfinished-work.ts";
import { joined, phrase, quote, text } from "./text/message.ts";

interface Action extends ReportedAction {
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
    outputs: ["outcome", "message", "server_version", "smoke_tests", "contract_changes"],
    perform: checkAction,
  },
  usage: {
    title: "Usage",
    outputs: [],
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
  let redact: ReturnType<typeof maskSecretInputs> | undefined;
  try {
    const { log, ...others } = effects;
    redact = maskSecretInputs(effects.env, log);
    const action: Action = actions[name];
    const context = { ...others, report: new Report({ ...effects, action, redact }) };
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

async function endingOf(context: Context, { perform }: Action): Promise<Ending> {
  const { report } = context;
  const stopHeartbeat = report.startHeartbeat();
  try {
    return await perform(context);
  } catch (thrown) {
    return endingOfError(toError(thrown), report);
  } finally {
    stopHeartbeat();
  }
}

function endingOfError(error: Error, report: Report): Ending {
  const { state } = report;
  const isCancelled = error instanceof CancelledError;
  const failure = error instanceof Failure ? error : internalFailure(error, report);
  const work = unfinishedWork(state, error);
  const sentNothing = isCancelled && state.writes.length === 0;
  const { ending } = failure.addDetails(work ?? (sentNothing ? text`No changes were sent.` : undefined));
  // To run the job again would deploy what failed its checks, or roll back too far.
  const rollsBack = isCancelled && state.rollback !== undefined;
  return rollsBack ? { ...ending, hint: text`${ifReplacedHint} ${rollBackAgainHint}` } : ending;
}

/** Logs where a bug of this action is, and returns the failure that a run with it ends with. */
function internalFailure(error: Error, log: MessageLog): Failure {
  log.group(text`Stack of the internal error`, (error.stack ?? error.message).split("\n"));
  return new Failure(text`Internal error: ${quote(error.message)}.`, {
    headline: phrase`internal error`,
    hint: text`This is a bug of this action. Please report it with this log.`,
  });
}

/** Logs a bug of this action, without secrets, if the run can't report it as its ending. `redact`: the run's, if it has one. */
export function logInternalError(
  thrown: unknown,
  effects: Pick<Effects, "log" | "env">,
  redact?: ReturnType<typeof maskSecretInputs>,
): void {
  const error = toError(thrown);
  try {
    const log = new MessageLog(effects.log, redact ?? maskSecretInputs(effects.env, effects.log));
    const { message, hint } = internalFailure(error, log).ending;
    log.error(joined([message, hint]), { title: text`Internal error` });
  } catch {
    // The message may quote a secret, and nothing can be redacted yet.
    const message = `Internal error: ${error.name} before the secrets of this run were known. Please report it with this log.`;
    effects.log.error(message, { title: "Internal error" });
  }
}
