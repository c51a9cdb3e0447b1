import { withConnectionErrors } from "./connection-error.ts";
import {
  type HttpRequest,
  open,
  type ReceivedResponse,
  readResponse,
  receive,
  type Take,
} from "./exchange.ts";
import { Timer } from "./timer.ts";

export interface DownloadLimits {
  readonly timeoutMs: number;
  /** What must not take longer: the whole answer, or any silence before it and within it. */
  readonly bounds: "answer" | "silence";
  readonly signal: AbortSignal;
}

/** How a download began: with success, its body still to be received, or with another answer, read to its end. */
export type DownloadStart =
  | { readonly refused: ReceivedResponse }
  | {
      readonly refused: undefined;
      readonly status: number;
      readonly receive: (take: Take) => Promise<void>;
      /** To be called in place of `receive` by who doesn't want it. */
      readonly drop: () => void;
    };

/** An answer without success is a message, not a download. */
const refusalLimitBytes = 10_000_000;

/**
 * Sends one request whose answer may be of any size. Redirects are not followed. Both this and `receive` throw
 * ConnectionError where no whole answer comes, and the signal's reason where it is aborted; `receive` also throws what
 * `take` throws.
 */
export async function startDownload(request: HttpRequest, limits: DownloadLimits): Promise<DownloadStart> {
  const timer = new Timer(limits.timeoutMs);
  const time = { signal: timer.signal, tooLate: describeTimeout(limits) };
  const signal = AbortSignal.any([limits.signal, timer.signal]);
  const told = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await withConnectionErrors(request, step, time, limits.signal);
    } catch (error) {
      timer.stop();
      throw error;
    }
  };
  const heard = () => {
    if (limits.bounds === "silence") timer.restart();
  };
  const message = await told(open(request, signal));
  heard();
  const status = message.statusCode ?? 0;
  if (status < 200 || status >= 300) {
    const refused = await told(readResponse(request, message, refusalLimitBytes, signal));
    timer.stop();
    return { refused };
  }
  return {
    refused: undefined,
    status,
    drop() {
      message.destroy();
      timer.stop();
    },
    async receive(take) {
      await told(
        receive(message, signal, async (chunk) => {
          await take(chunk);
          heard();
        }),
      );
      timer.stop();
    },
  };
}

function describeTimeout({ bounds, timeoutMs }: DownloadLimits): string {
  const time = `${timeoutMs / 1000} s`;
  return bounds === "answer" ? `no whole answer within ${time}` : `nothing came for ${time}`;
}
