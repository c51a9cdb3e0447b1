import { Failure } from "../errors.ts";
import { type Message, text } from "../text/message.ts";

/**
 * The response to a write was lost, so that it may have taken effect (docs/specification.md#lost-responses). It is neither
 * repeated nor searched for. `what`: such as "the update of agent"; `remains`: what it may have left behind, as a sentence.
 */
export function lostWrite(cause: Failure, what: Message, remains: Message, hint = rerunIsSafe): Failure {
  return new Failure(text`${cause.ending.message} Could not confirm whether ${what} succeeded. ${remains}`, {
    hint,
    cause,
  });
}

const rerunIsSafe = text`Running this job again is safe: it reads what is there before it sends anything.`;
