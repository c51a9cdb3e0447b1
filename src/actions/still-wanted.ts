import { Failure } from "../errors.ts";
import { readPullRequest } from "../github/repository.ts";
import { code, type Message, text } from "../text/message.ts";
import type { Preview } from "./preview-event.ts";

/** Why the preview is no longer wanted, as part of a sentence; undefined if it is, or if GitHub does not show it. */
export async function reasonUnwanted({ github, inputs, pullRequest }: Preview): Promise<Message | undefined> {
  const state = await github?.warnOnFailure(() => readPullRequest(github, pullRequest.number));
  if (state === undefined) return undefined;
  if (!state.isOpen) return text`the pull request was closed in the meantime`;
  const { label } = inputs;
  if (label === undefined || state.labels.includes(label)) return undefined;
  return text`the label ${code(label)} was removed from the pull request in the meantime`;
}

/**
 * The question whether a preview is still wanted. The pull request may be closed during the run: the run for that may come
 * before this one's end, or during it.
 */
export class StillWanted {
  readonly #preview: Preview;
  readonly #unwanted = new AbortController();
  #why: Message | undefined;

  constructor(preview: Preview) {
    this.#preview = preview;
  }

  /** Aborted if the response to `askBeside` is no. */
  get unwanted(): AbortSignal {
    return this.#unwanted.signal;
  }

  /** Asks GitHub beside what the run does. */
  askBeside(): void {
    const ask = async () => {
      const why = await this.whyNot();
      if (why !== undefined) this.#unwanted.abort(unwantedError(why));
    };
    ask().catch((error: unknown) => this.#unwanted.abort(error));
  }

  /** As `reasonUnwanted`, which is asked again unless the response was no. */
  async whyNot(): Promise<Message | undefined> {
    this.#why ??= await reasonUnwanted(this.#preview);
    return this.#why;
  }
}

/** Stops the watch; the run then ends with the deletion of the preview. */
function unwantedError(why: Message): Failure {
  return new Failure(text`The preview is no longer wanted: ${why}.`, {
    hint: text``,
  });
}
