import { ActionError, bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { ResponseError } from "../../http/response-error.ts";
import { titleOf } from "../../inputs/target.ts";
import { type Deployment, isBeingDeleted } from "../../platform/deployment.ts";
import type { Platform } from "../../platform/platforms.ts";
import type { CreateRequest } from "../../platform/schemas.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import type { PlannedDeployment } from "../planned-deployment.ts";
import { createDeployment, createRequestOf, firstRevision } from "./create.ts";
import { locateDeployment, warnOfMissingList } from "./find-deployment.ts";
import type { AppliedRevision } from "./match-revision.ts";
import { updateDeployment, uploadToCreated } from "./update.ts";

/**
 * Creates the deployment or updates it, and returns the revision that this run made. If the name is taken by a deployment
 * that is being deleted, it waits until `deadline` (milliseconds since the epoch).
 *
 * @throws ActionError if the inputs are not enough to create it or its name stays taken, UnconfirmedWriteError and
 *   RevisionNotFoundError if no revision can be identified as this run's, and the errors of `ControlPlane`.
 */
export async function applyPlan(
  { plan, upload, deadline, controlPlane }: PlannedDeployment,
  context: RunContext,
): Promise<AppliedRevision> {
  const conflict = new NameConflict(titleOf(plan.target), deadline, controlPlane.capabilities, context);
  let request: CreateRequest | undefined;
  const update = async (deployment: Deployment): Promise<AppliedRevision | undefined> => {
    // A deployment given by its id does not come back under another one.
    const isLeaving = plan.target.kind === "name" && isBeingDeleted(deployment);
    if (!isLeaving) return await updateDeployment(plan, deployment, upload, controlPlane, context);
    conflict.onDeletion();
    return undefined;
  };
  const attempt = async (): Promise<AppliedRevision | undefined> => {
    const located = await locateDeployment(plan.target, plan.repoUrl, controlPlane);
    if (located.kind === "found") return await update(located.deployment);
    if (!located.hasList) conflict.onMissingList();
    // Only a 409 to the create itself says that the name is taken.
    const create = request ?? (await createRequestOf(plan, controlPlane, context));
    request = create;
    const created = await bestEffort(
      () => createDeployment(plan, create, controlPlane, context),
      context.cancelled,
    );
    if ("error" in created) {
      conflict.onRefusal(created.error);
      return undefined;
    }
    // As after a 409.
    if (created.value.kind === "found") return await update(created.value.deployment);
    return upload
      ? await uploadToCreated(plan, created.value.deployment, upload, controlPlane, context)
      : await firstRevision(created.value, plan.source, controlPlane, context);
  };
  for (;;) {
    const applied = await attempt();
    if (applied !== undefined) return applied;
    await context.clock.sleep(conflict.delayMs, context.cancelled);
  }
}

const minDelayMs = 2000;
/** How long creates are retried if nothing shows what takes the name: a deletion may be invisible for a moment. */
const unlistedMs = 60_000;

/** A name that is taken, and how long to wait for it. Every method throws once that time is up. */
class NameConflict {
  readonly #name: string;
  readonly #deadline: number;
  readonly #capabilities: Platform["capabilities"];
  readonly #context: RunContext;
  #refusal: ResponseError | undefined;
  /** When refused creates must end, in milliseconds since the epoch; undefined if the last attempt was no refused create. */
  #refusedUntil: number | undefined;
  #isLogged = false;
  /** Until the next attempt. */
  delayMs = minDelayMs;

  constructor(name: string, deadline: number, capabilities: Platform["capabilities"], context: RunContext) {
    this.#name = name;
    this.#deadline = deadline;
    this.#capabilities = capabilities;
    this.#context = context;
  }

  /** The list shows a deployment of the name that is being deleted. */
  onDeletion(): void {
    const { clock, log } = this.#context;
    if (!this.#isLogged)
      log.info(
        `The name ${this.#name} is taken by a deployment that is being deleted. Waiting for the deletion.`,
      );
    this.#isLogged = true;
    this.#refusedUntil = undefined;
    this.delayMs = minDelayMs;
    if (clock.now() + minDelayMs > this.#deadline) throw this.#takenByDeletion();
  }

  /** There is no list that could show what takes the name. */
  onMissingList(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    warnOfMissingList(this.#name, this.#context.log);
  }

  /** A create was refused although the list shows no deployment of the name. @throws every error but a 409 */
  onRefusal(error: ActionError): void {
    if (!(error instanceof ResponseError) || error.status !== 409) throw error;
    const { clock, log } = this.#context;
    if (this.#refusal === undefined) log.info(`${error.message} Searching the name again.`);
    this.#refusal = error;
    this.delayMs = this.#refusedUntil === undefined ? minDelayMs : this.delayMs * 2;
    this.#refusedUntil ??= Math.min(this.#deadline, clock.now() + unlistedMs);
    const leftMs = this.#refusedUntil - clock.now();
    if (leftMs <= 0) throw this.#takenByUnknown(error);
    this.delayMs = Math.min(this.delayMs, leftMs);
  }

  #takenByDeletion(): ActionError {
    const name = sanitizeExcerpt(this.#name, 100);
    return new ActionError(
      `The name ${name} is still taken by a deployment that is being deleted.${this.#refusal ? ` ${this.#refusal.message}` : ""}`,
      {
        code: "name_taken",
        hint: "Wait until the platform has deleted it, raise timeout_seconds, or choose another name.",
        cause: this.#refusal,
      },
    );
  }

  #takenByUnknown(refusal: ResponseError): ActionError {
    const name = sanitizeExcerpt(this.#name, 100);
    const { tracingProjects } = this.#capabilities;
    const project = tracingProjects ? " The tracing project of a deleted deployment may hold it." : "";
    return new ActionError(
      `The platform refuses to create ${name}, but lists no deployment of that name.${project} ${refusal.message}`,
      { code: "name_taken", hint: tracingProjects ? heldByProject : heldByDeployment, cause: refusal },
    );
  }
}

const heldByDeployment =
  "If the platform's message gives another reason, fix that. Otherwise a deployment that is being deleted or not listed may hold the name: wait, or choose another name.";
const heldByProject =
  "If the platform's message gives another reason, fix that. Otherwise waiting does not help: choose another name, or delete the tracing project of that name on the platform. From now on, set delete_tracing_project: true for preview, sweep and delete, so that a deletion frees the name.";
