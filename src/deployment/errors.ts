import { ActionError } from "../errors.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";

/** The deployment found by name belongs to another repository (contract, 3.1). */
export class WrongRepositoryError extends ActionError {
  override readonly name = "WrongRepositoryError";
  readonly hint =
    "Give this deployment another name, or set repo_url if the repository was renamed; if this one is really meant, update it by deployment_id.";

  constructor(name: string, shown: string, own: string) {
    super(
      `The deployment ${sanitizeExcerpt(name, 100)} is of ${sanitizeExcerpt(shown, 200)}, not of ${sanitizeExcerpt(own, 200)}; nothing was changed.`,
    );
  }
}

/** A name stayed taken by something that can't be updated, or the platform refuses it for a reason of its own. */
export class NameTakenError extends ActionError {
  override readonly name = "NameTakenError";
  readonly hint: string;

  /** `isListed`: whether the list shows a deployment of this name, being deleted. `refusal`: of the create. */
  constructor(name: string, isListed: boolean, refusal?: Error) {
    const shown = sanitizeExcerpt(name, 100);
    const why = isListed
      ? `The name ${shown} is still taken by a deployment that is being deleted.`
      : `The platform doesn't create ${shown}, and lists no deployment of that name: either the name is still taken, by one that is being deleted or isn't shown, or the platform has another reason.`;
    super(refusal === undefined ? why : `${why} ${refusal.message}`, { cause: refusal });
    this.hint = isListed
      ? "Wait until the platform has deleted it, raise timeout_seconds, or give another name."
      : "If its own words name another reason, look there; otherwise wait for the deletion, or give another name.";
  }
}

/** A write that was sent without an answer that tells whether it took effect. */
export interface UnconfirmedWrite {
  /** Such as "creating agent". */
  readonly what: string;
  /** What it may have left behind, as a sentence. */
  readonly left: string;
  /** The error that leaves it open. */
  readonly cause: Error;
}

/** A write was sent and its effect is not known. */
export class UnconfirmedWriteError extends ActionError {
  override readonly name = "UnconfirmedWriteError";
  readonly hint: string;

  /** `why` it can't be told, as a sentence. */
  constructor({ what, left, cause }: UnconfirmedWrite, why = "nothing new was seen within 60 s.") {
    super(`${cause.message} It can't be told whether ${what} took effect: ${why}`, { cause });
    this.hint = `${left} Look at the platform before you run this again.`;
  }
}

/** The platform took the create or the update, but no revision of this run came of it. */
export class RevisionNotFoundError extends ActionError {
  override readonly name = "RevisionNotFoundError";
  readonly hint: string;

  /** `created`: by this run. `foreign`: new revisions of another source. */
  constructor(deploymentId: string, created: boolean, foreign: readonly string[]) {
    const others =
      foreign.length === 0
        ? ""
        : ` New, but of another source: ${foreign.map((id) => sanitizeExcerpt(id, 100)).join(", ")}.`;
    super(
      `The platform ${created ? "created" : "took the update of"} ${sanitizeExcerpt(deploymentId, 100)}, but no new revision of this run appeared within 60 s.${others}`,
    );
    this.hint = created
      ? "Look at the deployment on the platform: what was created may be left behind without a revision."
      : "Look at the deployment's revisions on the platform; if nothing was to change there, this run had nothing to deploy.";
  }
}

/** A deployment is to be deleted by a name that can't be looked up (contract, 3.1). */
export class UnlistedNameError extends ActionError {
  override readonly name = "UnlistedNameError";
  readonly hint = "Give deployment_id, or delete it on the platform.";

  constructor(name: string) {
    super(
      `This control plane has no list of deployments, so the one named ${sanitizeExcerpt(name, 100)} can't be found and was not deleted.`,
    );
  }
}

/** This control plane can't deploy a revision again by its id. */
export class NoRedeployError extends ActionError {
  override readonly name = "NoRedeployError";
  readonly hint = "Look at the deployment on the platform.";

  constructor(cause: Error) {
    super(`This control plane can't deploy a revision again by its id: ${cause.message}`, { cause });
  }
}

/** Nor would an update bring again what it deployed. */
export class NotRedeployableError extends ActionError {
  override readonly name = "NotRedeployableError";
  readonly hint = "Roll back on the platform, or deploy what is to be live.";

  /** `why`: goes on from the revision's id. */
  constructor(revisionId: string, why: string, cause: NoRedeployError) {
    super(
      `${cause.message} Nothing was rolled back, because revision ${sanitizeExcerpt(revisionId, 100)}, which was live before, ${sanitizeExcerpt(why, 200)}.`,
      { cause },
    );
  }
}
