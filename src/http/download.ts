import { ActionError } from "../errors.ts";
import {
  connectionError,
  type HttpRequest,
  open,
  type ReceivedAnswer,
  readAnswer,
  receive,
  type Take,
  timedOut,
} from "./exchange.ts";

export interface DownloadLimits {
  /** The longest silence, in milliseconds: before the answer begins, and between two parts of it. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** How a download began: with success, its body still to be received, or with another answer, read to its end. */
export type DownloadStart =
  | { readonly refused: ReceivedAnswer }
  | { readonly refused: undefined; readonly status: number; readonly receive: (take: Take) => Promise<void> };

/** An answer without success is a message, not a download. */
const refusalLimitBytes = 10_000_000;

/**
 * Sends one request whose answer may be of any size and take any time, as long as it doesn't fall silent. Redirects
 * are not followed. Both this and `receive` throw ConnectionError where no whole answer comes, and the signal's reason
 * where it is aborted; `receive` also throws what `take` throws.
 */
export async function startDownload(request: HttpRequest, limits: DownloadLimits): Promise<DownloadStart> {
  const silence = new Silence(limits.silenceMs);
  const signal = AbortSignal.any([limits.signal, silence.signal]);
  const told = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      silence.over();
      limits.signal.throwIfAborted();
      if (error instanceof ActionError) throw error;
      throw silence.signal.aborted
        ? timedOut(request, `nothing came for ${limits.silenceMs / 1000} s`, error)
        : connectionError(request, error);
    }
  };
  const message = await told(open(request, signal));
  silence.broken();
  const status = message.statusCode ?? 0;
  if (status < 200 || status >= 300) {
    const refused = await told(readAnswer(request, message, refusalLimitBytes, signal));
    silence.over();
    return { refused };
  }
  return {
    refused: undefined,
    status,
    async receive(take) {
      await told(
        receive(message, signal, async (chunk) => {
          await take(chunk);
          silence.broken();
        }),
      );
      silence.over();
    },
  };
}

/** Aborts its signal after so many milliseconds without a sound. */
class Silence {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  broken(): void {
    this.#timer.refresh();
  }

  over(): void {
    clearTimeout(this.#timer);
  }
}
