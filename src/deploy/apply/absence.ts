import { ActionError } from "../../errors.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import { isBeingDeleted } from "../../platform/deployment.ts";
import { isUnsupported } from "../../platform/error-kinds.ts";
import { isSameId } from "../../text/ids.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";

/**
 * What the complete list of deployments shows of a deployment that was not found. A gateway or a wrong address responds
 * with 404 too, so only a list that does not have the deployment shows that it is gone.
 */
export type Absence = "gone" | "being_deleted" | "listed" | "no_list";

/** Searches the complete list for a deployment of this id or exactly this name. @throws the errors of `ControlPlane` */
export async function readAbsence(
  { id, name }: { readonly id?: string | undefined; readonly name?: string | undefined },
  controlPlane: ControlPlane,
): Promise<Absence> {
  try {
    const found = (await controlPlane.listDeployments()).filter(
      (one) => (id !== undefined && isSameId(one.id, id)) || (name !== undefined && one.name === name),
    );
    if (found.length === 0) return "gone";
    return found.every(isBeingDeleted) ? "being_deleted" : "listed";
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return "no_list";
  }
}

/** Why a deployment that was not found does not count as gone. */
export type Unproven =
  | Extract<Absence, "listed" | "no_list">
  | "other_control_plane"
  | "unknown_control_plane";

export function isUnproven(result: string): result is Extract<Absence, Unproven> {
  return result === "listed" || result === "no_list";
}

interface UnprovenText {
  /** A part of a sentence whose subject is the deployment. */
  readonly why: string;
  /** What to do about it. */
  readonly hint: string;
}

const checkAddress = "Check control_plane_url (or region) and workspace_id.";
const markInactive = "If the deployment is gone, set its GitHub deployment to inactive, or delete that.";

export const unprovenTexts: Readonly<Record<Unproven, UnprovenText>> = {
  listed: {
    why: "was not found (404), but the platform lists it",
    hint: "Check that the key in api_key may delete deployments, or delete it on the platform.",
  },
  no_list: {
    why: "was not found (404), and there is no list of deployments that confirms it is gone",
    hint: `${checkAddress} ${markInactive}`,
  },
  other_control_plane: {
    why: "was not found, and its GitHub record is of another control plane or workspace",
    hint: checkAddress,
  },
  unknown_control_plane: {
    why: "was not found (404), and its GitHub record, made by an older version, does not name the control plane and workspace",
    hint: `${checkAddress} ${markInactive}`,
  },
};

/** A deployment was to be deleted that was not found, and may exist. `title`: what the user calls it. */
export function unprovenError(title: string, reason: Unproven): ActionError {
  const { why, hint } = unprovenTexts[reason];
  return new ActionError(`Deployment ${sanitizeExcerpt(title, 100)} ${why}. Nothing was deleted.`, {
    code: "not_confirmed_gone",
    hint,
  });
}
