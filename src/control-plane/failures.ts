/** What a failed request tells of the platform: whether it did what it was asked to, and whether it has it at all. */
import { AnswerError, UnexpectedAnswerError } from "../api/errors.ts";
import { ConnectionError } from "../http/errors.ts";

/** Whether a write that ended in this error may have had an effect: all but no connection and 4xx (contract, 3.1). */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.sent;
  if (error instanceof AnswerError) return error.status < 400 || error.status >= 500;
  return error instanceof UnexpectedAnswerError;
}

/** Whether the API itself says that it has no such endpoint (contract, 3.1). */
export function lacksEndpoint(error: unknown): boolean {
  return error instanceof AnswerError && error.json && [404, 405, 501].includes(error.status);
}

/** Whether the API itself says that what was asked for is not there. */
export function isMissing(error: unknown): error is AnswerError {
  return error instanceof AnswerError && error.status === 404 && error.json;
}

/** What is read, undefined where the API itself says that it isn't there. @throws what `reading` throws otherwise */
export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
