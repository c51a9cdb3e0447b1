// The failures of runs whose revision is not live.

import { Failure } from "../../errors.ts";
import type { Revision } from "../../platform/revision.ts";
import { failedStage } from "../../platform/status.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import {
  code,
  duration,
  idText,
  inputName,
  joined,
  listOf,
  type Message,
  type Phrase,
  phrase,
  quoteSentence,
  text,
} from "../../text/message.ts";
import { deployAgainHint, hintIfRollback, unreadableFailure } from "../after-failure.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { findSecondCandidateFailure } from "../own-revision-rules.ts";
import { describeLive, findNewerLiveFailure, NotLiveError, supersededHint, tryReadLive } from "./live.ts";
import { showLogEnd } from "./logs/show-log-end.ts";

/** Returns the failure if the revision, or whether it is live, can't be read. */
export function notConfirmedFailure(
  ownRevision: OwnRevision,
  lastRead: Revision | undefined,
  cause: Failure | undefined,
): Failure {
  const revision = idText(ownRevision.revisionId);
  const notConfirmed = joined([
    text`Could not confirm that revision ${revision} is live.`,
    cause ? undefined : notListedDetail,
  ]);
  const notRead = text`Could not read the status of revision ${revision}.`;
  const problem = lastRead?.status.kind === "deployed" ? notConfirmed : notRead;
  return unreadableFailure(ownRevision, problem, cause);
}

const notListedDetail = text`The list of revisions does not show it as ${code("DEPLOYED")}.`;

/**
 * Returns the failure of a revision that ended without being live. It says which revision is live. If the revision failed, the
 * end of its log is shown. If another one may be this run's too, the failure says only that.
 */
export async function explainEnd(
  context: RevisionContext,
  ownRevision: OwnRevision,
  revision: Revision,
): Promise<Failure> {
  const read = await tryReadLive(context, ownRevision);
  const second = read.value && findSecondCandidateFailure(ownRevision, read.value);
  const failure = second ?? (await explainStatus(context, ownRevision, revision));
  return failure.addDetails(describeLive(read));
}

async function explainStatus(
  context: RevisionContext,
  ownRevision: OwnRevision,
  revision: Revision,
): Promise<Failure> {
  const { id: revisionId, status, statusMessage = "" } = revision;
  if (status.kind === "interrupted") {
    return new Failure(
      text`Revision ${idText(revisionId)} was interrupted on the platform and ended as ${code(status.raw)}.`,
      { outcome: "interrupted", hint: deployAgainHint(ownRevision) },
    );
  }
  if (status.kind === "superseded") {
    return new Failure(
      text`Revision ${idText(revisionId)} was superseded by a newer revision and ended as ${code(status.raw)}.`,
      { outcome: "superseded", hint: supersededHint },
    );
  }
  const stage = failedStage(status);
  const log = await showLogEnd(context, ownRevision, stage);
  const whereLog =
    log === undefined
      ? text`The revision's build and server logs are on the platform.`
      : text`The end of the ${nameOfStage(stage)} log is in the job summary.`;
  const platformSays =
    statusMessage.trim() === "" ? undefined : text`The platform says: ${quoteSentence(statusMessage, 1000)}.`;
  const { errorLine = "" } = log ?? {};
  // The platform's message often quotes the line of the log, but without the module of the error.
  const error = errorLine.replace(/^(?:\w+\.)+(?=\w+:)|\.$/g, "");
  const isNew = errorLine !== "" && !statusMessage.includes(error);
  const logSays = isNew ? text`The log says: ${quoteSentence(errorLine, 1000)}.` : undefined;
  return new Failure(text`Revision ${idText(revisionId)} failed with status ${code(status.raw)}.`, {
    headline: /^(BUILD|DEPLOY)_FAILED$/i.test(status.raw) ? phrase`${nameOfStage(stage)} failed` : undefined,
    place: log?.place,
    details: [platformSays, logSays].filter((detail) => detail !== undefined),
    hint: failureHint(ownRevision, whereLog),
  });
}

function nameOfStage(stage: "build" | "deploy"): Phrase {
  return stage === "build" ? phrase`build` : phrase`deploy`;
}

function failureHint({ content, isRollback }: OwnRevision, whereLog: Message): Message {
  if (isRollback) {
    return text`${whereLog} If a variable is missing or wrong, correct it and deploy again: a rollback does not restore variables. To roll back to a different revision, use the rollback action with ${inputName("revision_id")}.`;
  }
  return text`Fix the error in the log. ${whereLog} If that does not help, check ${usualInputs(content)}.`;
}

function usualInputs({ tarballPath, imageUri }: OwnRevision["content"]): Message {
  if (imageUri !== undefined) return listOf([inputName("image_uri"), inputName("secrets")]);
  const where = tarballPath === undefined ? "repo_ref" : "source_path";
  return listOf([inputName("app_config_path"), inputName(where), inputName("secrets")]);
}

interface LastPoll {
  /** As it was read last; undefined if it never was. */
  readonly revision: Revision | undefined;
  /** Why the last poll failed, if it did. */
  readonly lastFailure: Failure | undefined;
}

/** Returns the failure of a revision that is not live at the deadline. */
export async function explainTimeout(
  context: RevisionContext,
  ownRevision: OwnRevision,
  waitedMs: number,
  lastPoll: LastPoll,
): Promise<Failure> {
  const { revision, lastFailure } = lastPoll;
  if (lastFailure instanceof NotLiveError) {
    return lastFailure.addDetails(text`The run waited for ${duration(waitedMs)}.`);
  }
  if (revision?.status.kind === "deployed") return notConfirmedFailure(ownRevision, revision, lastFailure);
  if (lastFailure === undefined && revision?.status.kind === "interrupted")
    return await explainEnd(context, ownRevision, revision);
  const { value: snapshot } = await tryReadLive(context, ownRevision);
  context.cancelled.throwIfAborted();
  const newerLive = snapshot && findNewerLiveFailure(ownRevision, snapshot);
  return newerLive ?? notEndedFailure(context, ownRevision, waitedMs, lastPoll);
}

function notEndedFailure(
  { report }: RevisionContext,
  ownRevision: OwnRevision,
  waitedMs: number,
  { revision, lastFailure }: LastPoll,
): Failure {
  const status = revision && code(revision.status.raw);
  const progress =
    lastFailure === undefined ? phrase`is still ${status}` : phrase`was ${status} when it was last seen`;
  const { revisionId, isRollback } = ownRevision;
  const canResume = report.state.isRecorded && !isRollback;
  const resume = canResume ? text`Re-run this job to continue watching the same revision. ` : undefined;
  return new Failure(
    text`After ${duration(waitedMs)}, revision ${idText(revisionId)} ${status ? progress : phrase`was still not visible`}.`,
    {
      outcome: "timed_out",
      details: lastFailure === undefined ? [] : [text`The last poll failed: ${lastFailure.ending.message}`],
      hint: text`${resume}If it usually takes this long, raise ${inputName("timeout_seconds")}. A stuck revision blocks later deployments. ${hintIfRollback(ownRevision)}`,
    },
  );
}
