import type { ResponseError } from "../http/response-error.ts";
import { NameTakenError } from "./errors.ts";
import type { WriteTools } from "./write.ts";

const pauseMs = 2000;
/** How long creates are repeated where nothing tells what takes the name: a deletion may go on for a moment unseen. */
const unseenMs = 60_000;

/** Waits for a name to become free, and tells why. */
export class NameWait {
  readonly #name: string;
  readonly #tools: Pick<WriteTools, "context" | "until">;
  #isListedTold = false;
  #refusal: ResponseError | undefined;
  /** Refused creates in a row, and when they have to end; milliseconds since the epoch. */
  #refused = 0;
  #refusedUntil = 0;

  constructor({ context, until, progress }: Pick<WriteTools, "context" | "until" | "progress">) {
    this.#name = progress.facts.title;
    this.#tools = { context, until };
  }

  /** The list shows the deployment that takes the name. @throws NameTakenError once `until` has come. */
  async forListed(): Promise<void> {
    const { context, until } = this.#tools;
    if (!this.#isListedTold)
      context.log.info(
        `The name ${this.#name} is taken by a deployment that is being deleted: waiting until it is gone.`,
      );
    this.#isListedTold = true;
    this.#refused = 0;
    if (context.clock.now() + pauseMs > until) throw new NameTakenError(this.#name, true, this.#refusal);
    await context.clock.sleep(pauseMs, context.cancelled);
  }

  /** A create was refused although the list shows nothing of the name. @throws NameTakenError after a minute. */
  async forUnlisted(refusal: ResponseError): Promise<void> {
    const { context, until } = this.#tools;
    const { clock } = context;
    if (this.#refusal === undefined) context.log.info(`${refusal.message} Looking the name up again.`);
    this.#refusal = refusal;
    if (this.#refused === 0) this.#refusedUntil = Math.min(until, clock.now() + unseenMs);
    const left = this.#refusedUntil - clock.now();
    if (left <= 0) throw new NameTakenError(this.#name, false, refusal);
    const growing = pauseMs * 2 ** this.#refused;
    this.#refused += 1;
    await clock.sleep(Math.min(growing, left), context.cancelled);
  }
}
