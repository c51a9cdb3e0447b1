import { Failure } from "../../errors.ts";
import { ResponseError } from "../../http/response-error.ts";
import { code, input, type Message, text } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { warnOfMissingList } from "./find-deployment.ts";

const minDelayMs = 2000;
/** How long creates are retried if nothing shows what takes the name: a deletion may be invisible for a moment. */
const unlistedMs = 60_000;

/** A name that is taken. `wait…` waits until the next attempt to create the deployment, and throws once the time is up. */
export class NameConflict {
  readonly #job: DeployJob;
  readonly #name: string;
  #refusal: ResponseError | undefined;
  /** When refused creates must end, in milliseconds since the epoch; undefined if the last attempt was no refused create. */
  #refusedUntil: number | undefined;
  #delayMs = minDelayMs;
  #isLogged = false;

  constructor(job: DeployJob, name: string) {
    this.#job = job;
    this.#name = name;
  }

  /** The list shows a deployment of the name that is being deleted. */
  async waitForDeletion(): Promise<void> {
    const { clock, report, deadline } = this.#job;
    if (!this.#isLogged) {
      report.info(
        text`The name ${code(this.#name)} is taken by a deployment that is being deleted. Waiting for the deletion.`,
      );
    }
    this.#isLogged = true;
    this.#refusedUntil = undefined;
    this.#delayMs = minDelayMs;
    if (clock.now() + minDelayMs > deadline) throw this.#takenByDeletion();
    await this.#sleep();
  }

  /** There is no list that could show what takes the name. */
  onMissingList(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    warnOfMissingList(this.#job, this.#name);
  }

  /** A create was refused although the list shows no deployment of the name. @throws every error but a 409 */
  async waitAfterRefusal(error: Failure): Promise<void> {
    if (!(error instanceof ResponseError) || error.status !== 409) throw error;
    const { clock, report, deadline } = this.#job;
    if (this.#refusal === undefined) report.info(text`${error.ending.message} Searching for the name again.`);
    this.#refusal = error;
    this.#delayMs = this.#refusedUntil === undefined ? minDelayMs : this.#delayMs * 2;
    this.#refusedUntil ??= Math.min(deadline, clock.now() + unlistedMs);
    const leftMs = this.#refusedUntil - clock.now();
    if (leftMs <= 0) throw this.#takenByUnknown(error);
    this.#delayMs = Math.min(this.#delayMs, leftMs);
    await this.#sleep();
  }

  async #sleep(): Promise<void> {
    await this.#job.clock.sleep(this.#delayMs, this.#job.cancelled);
  }

  #takenByDeletion(): Failure {
    const refusal = this.#refusal && text` ${this.#refusal.ending.message}`;
    return new Failure(
      text`The name ${code(this.#name)} is still taken by a deployment that is being deleted.${refusal}`,
      {
        hint: text`Wait until the platform has deleted it, raise ${input("timeout_seconds")}, or choose a different name.`,
        cause: this.#refusal,
      },
    );
  }

  #takenByUnknown(refusal: ResponseError): Failure {
    const mayHaveProject = this.#job.settings.platform.deleteTracesQuery !== undefined;
    const project = mayHaveProject
      ? text` The tracing project of a deleted deployment may hold it.`
      : undefined;
    return new Failure(
      text`Could not create ${code(this.#name)}: the platform says that the name is taken, but lists no deployment of that name.${project} ${refusal.ending.message}`,
      { hint: mayHaveProject ? heldByProject : heldByDeployment, cause: refusal },
    );
  }
}

const heldByDeployment: Message = text`A deployment that is being deleted or not listed may hold the name: wait, or choose a different name. If the platform's message gives a different reason, fix that.`;
const heldByProject: Message = text`Waiting does not help if traces hold the name: choose a different name, or delete the tracing project of that name on the platform. To avoid it, set ${code("delete_tracing_project: true")} in preview, sweep and delete. If the platform's message gives a different reason, fix that.`;
