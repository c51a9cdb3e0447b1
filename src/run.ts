import { deleteAction } from "./actions/delete.ts";
import { deployAction } from "./actions/deploy.ts";
import { cleanUp } from "./actions/post.ts";
import { preview } from "./actions/preview.ts";
import { rollback } from "./actions/rollback.ts";
import { sweepAction } from "./actions/sweep.ts";
import type { Context, Surroundings } from "./context.ts";
import type { Ending } from "./errors.ts";
import { Failure, toError } from "./errors.ts";
import { maskSecretInputs, redactorFor } from "./inputs/masks.ts";
import { updateOauthProvider } from "./oauth-provider/oauth-provider.ts";
import type { ActionTitle } from "./report/facts.ts";
import { Report } from "./report/report.ts";
import { isSuccess } from "./report/result.ts";
import { describeError, withRerun } from "./report/sentences/unfinished-work.ts";
import { logWriter } from "./report/writers/log.ts";
import { code, quote, text } from "./text/message.ts";
import { usage } from "./usage/usage.ts";

/** An action: its title for people, and what it does. Its writers report the result. */
interface Action {
  readonly title: ActionTitle;
  readonly perform: (context: Context) => Promise<Ending>;
}

const actions = {
  deploy: { title: "Deploy", perform: deployAction },
  preview: { title: "Preview", perform: preview },
  sweep: { title: "Sweep", perform: sweepAction },
  delete: { title: "Delete", perform: deleteAction },
  rollback: { title: "Rollback", perform: rollback },
  usage: { title: "Usage", perform: usage },
  "oauth-provider": { title: "OAuth provider", perform: updateOauthProvider },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;
/** `post` runs at the end of the job, whatever became of the main step. */
export type Phase = "main" | "post";

/**
 * Runs an action from its inputs to its report. All errors are caught here and turned into a result. Returns whether the
 * step succeeds, which a `post:` step always does; never rejects.
 */
export async function run(name: ActionName, phase: Phase, surroundings: Surroundings): Promise<boolean> {
  try {
    const { log: _, ...others } = surroundings;
    const { title } = actions[name];
    const report = createReport(surroundings, title);
    const result = await resultOf(name, phase, { ...others, report });
    const isReported = await reportResult(result, report, title);
    return isReported && (phase === "post" || isSuccess(result.outcome));
  } catch (thrown) {
    logInternalError(thrown, surroundings);
    return false;
  }
}

/** Returns false, and says so, if a writer failed. */
async function reportResult(result: Ending, report: Report, action: ActionTitle): Promise<boolean> {
  try {
    await report.end(result);
    return true;
  } catch (thrown) {
    const error = toError(thrown);
    report.error(
      text`Could not report the outcome (${code(result.outcome)}) completely: ${quote(error.message)}.`,
      { title: text`${code(action)}: could not report the outcome` },
    );
    report.stack(error);
    return false;
  }
}

type ReportSurroundings = Pick<Surroundings, "env" | "log" | "clock">;

function createReport({ env, log, clock }: ReportSurroundings, action: ActionTitle): Report {
  return new Report({ log, clock, action, redact: redactorFor(env) });
}

async function resultOf(name: ActionName, phase: Phase, context: Context): Promise<Ending> {
  const { report } = context;
  try {
    maskSecretInputs(context.env, report);
    if (phase === "post") return await cleanUp(context);
    return withRerun(await actions[name].perform(context), report.facts);
  } catch (thrown) {
    const error = toError(thrown);
    if (!(error instanceof Failure)) report.stack(error);
    // Until an action has writers, nothing else logs the result.
    if (!report.hasWriters) report.add(logWriter(context));
    return describeError(error, report.facts);
  }
}

const internalError = "Internal error";

/** Logs a bug of this action that no run can report any more, without secrets. */
export function logInternalError(thrown: unknown, surroundings: ReportSurroundings): void {
  const error = toError(thrown);
  let report: Report;
  try {
    report = createReport(surroundings, "");
  } catch {
    // The message may quote any of the secrets.
    const what = `Internal error: ${error.name} before the secrets of this run were known.`;
    surroundings.log.error(`${what} Please report it with this log.`, { title: internalError });
    return;
  }
  report.error(text`Internal error: ${quote(error.message)}. Please report it with this log.`, {
    title: text`${code(internalError)}`,
  });
  report.stack(error);
}
