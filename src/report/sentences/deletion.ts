import type { Ending } from "../../errors.ts";
import { Failure } from "../../errors.ts";
import type { DeletionResult, Unproven } from "../../results/deletion.ts";
import { code, input, joined, type Message, text } from "../../text/message.ts";

/** The inputs that lead to a deployment besides its id or name. */
export const addressInputs = text`${input("control_plane_url")} (or ${input("region")}) and ${input("workspace_id")}`;

/** How a run ended that deleted a deployment, or found it gone, which is a notice. `subject`: begins the sentence. */
export function describeDeletion(deletion: DeletionResult, subject: Message): Ending {
  const isDeleted = deletion === "deleted" || deletion === "being_deleted";
  const special = isDeleted ? undefined : "nothing_to_delete";
  return { outcome: "deleted", message: deletionMessage(deletion, subject), special };
}

/** What a dry run would delete, by the id of the deployment. */
export function describePlannedDeletion(deploymentId: string | undefined): Ending {
  const what = deploymentId === undefined ? text`nothing` : text`deployment ${code(deploymentId)}`;
  return { outcome: "planned", message: text`Dry run: would delete ${what}. No changes were sent.` };
}

function deletionMessage(deletion: DeletionResult, subject: Message): Message {
  if (deletion === "deleted") return text`${subject} was deleted.`;
  if (deletion === "being_deleted") return text`${subject} is being deleted by the platform.`;
  // A wrong address or workspace looks the same.
  return text`${subject} does not exist, so nothing was deleted. If it should exist, check ${addressInputs}.`;
}

const checkAddress = text`Check ${addressInputs}.`;
const markInactive = text`If the deployment no longer exists, set its GitHub deployment to inactive, or delete the GitHub deployment.`;

/** Why a deployment may exist although it was not found, as a part of a sentence about it, and what to do about that. */
export const unprovenTexts: Readonly<Record<Unproven, { readonly why: Message; readonly hint: Message }>> = {
  listed: {
    why: text`was not found (${code("404")}), but the platform lists it`,
    hint: text`Check that the key in ${input("api_key")} may delete deployments, or delete it on the platform.`,
  },
  no_list: {
    why: text`was not found (${code("404")}), and this control plane has no list of deployments to confirm that it was deleted`,
    hint: text`${checkAddress} ${markInactive}`,
  },
  other_control_plane: {
    why: text`was not found, and its GitHub record belongs to a different control plane or workspace`,
    hint: checkAddress,
  },
  unknown_control_plane: {
    why: text`was not found (${code("404")}), and its GitHub record, created by an older version, does not name the control plane and workspace`,
    hint: text`${checkAddress} ${markInactive}`,
  },
};

/** The same as `unprovenError`, because the list that shows whether the deployment is gone could not be read. */
export function unreadableListError(
  title: string,
  { ending: { message: why, hint }, cause }: Failure,
): Failure {
  return new Failure(
    text`Deployment ${code(title)} was not found. Could not read the list of deployments to confirm that it was deleted. ${why} Nothing was deleted.`,
    { hint, cause, code: notConfirmedGone },
  );
}

/** The deletion of a preview failed. `isFound`: whether its deployment was seen before. */
export function previewRemainsError(error: Failure, isFound: boolean): Failure {
  // The deployment of this name is probably not the preview.
  if (error.code === unrecordedPreview) return error;
  const exists =
    isFound && !error.explainsWrite && error.code !== notConfirmedGone
      ? text`still exists, and may cause costs`
      : text`may still exist, and cause costs`;
  return new Failure(text`${error.ending.message} The preview ${exists}.`, {
    ...error.ending,
    hint: joined([
      error.ending.hint,
      text`To delete the preview, re-run this job, or let the sweep action do it.`,
    ]),
    cause: error,
  });
}

const notConfirmedGone = "not_confirmed_gone";
const unrecordedPreview = "not_recorded";

/** A deployment was found by a name that is not the pull request's alone, and no preview of this pull request recorded it. */
export function unrecordedPreviewError(name: string): Failure {
  return new Failure(
    text`Deployment ${code(name)} is not recorded on GitHub as the preview of this pull request, so it was neither changed nor deleted.`,
    {
      code: unrecordedPreview,
      hint: text`Add the number of the pull request (${code("github.event.number")}) to ${input("name")}. A preview is deleted when its pull request is closed.`,
    },
  );
}

/** A deployment was to be deleted that was not found, and may exist. `title`: what the user calls it. */
export function unprovenError(title: string, reason: Unproven): Failure {
  const { why, hint } = unprovenTexts[reason];
  return new Failure(text`Deployment ${code(title)} ${why}. Nothing was deleted.`, {
    hint,
  });
}
