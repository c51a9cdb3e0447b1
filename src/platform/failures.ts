/** What a failed request tells of the platform: whether it did what it was asked to, and whether it has it at all. */

import { ConnectionError } from "../http/errors.ts";
import { ResponseError, UnexpectedAnswerError } from "../http/response-error.ts";

/** Whether a write that ended in this error may have had an effect: all but no connection and 4xx (contract, 3.1). */
export function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.sent;
  if (error instanceof ResponseError) return error.status < 400 || error.status >= 500;
  return error instanceof UnexpectedAnswerError;
}

/** Whether the API itself says that it has no such endpoint (contract, 3.1). */
export function lacksEndpoint(error: unknown): boolean {
  return error instanceof ResponseError && error.json && [404, 405, 501].includes(error.status);
}

/** Whether the API itself says that what was asked for is not there. */
export function isMissing(error: unknown): error is ResponseError {
  return error instanceof ResponseError && error.status === 404 && error.json;
}

/** What is read, undefined where the API itself says that it isn't there. @throws what `reading` throws otherwise */
export async function ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
