import type { Failure } from "../errors.ts";
import { RequestError } from "../http/request-error.ts";
import { isRefusal } from "../http/response.ts";

/** Whether a write that failed like this may have taken effect: it was sent, and not refused (4xx, or 501 from the API). */
export function mayHaveTakenEffect(error: unknown): error is RequestError {
  if (!(error instanceof RequestError)) return false;
  const { sent, status, isFromApi } = error;
  return sent && (status < 400 || (status >= 500 && !(status === 501 && isFromApi)));
}

/** Whether the API itself says that it has no such endpoint. */
export function isUnsupported(error: unknown): error is RequestError {
  return error instanceof RequestError && error.isFromApi && [404, 405, 501].includes(error.status);
}

/** Whether the API itself says that the object does not exist. */
export function isNotFound(error: unknown): error is RequestError {
  return error instanceof RequestError && error.status === 404 && error.isFromApi;
}

/** Whether the platform refuses a name that is taken. */
export function isConflict(error: unknown): error is RequestError {
  return error instanceof RequestError && error.status === 409;
}

/** Whether the API itself says that nothing has this id. One of another form than its own is refused as invalid. */
export function isUnknownId(error: unknown): error is RequestError {
  return error instanceof RequestError && error.isFromApi && [400, 404, 422].includes(error.status);
}

/** Returns what is read; undefined if the API itself says that it does not exist. Other errors are rethrown. */
export async function undefinedIf404<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether polling may continue: a refused key or workspace (401, 403) will not change by itself. */
export function mayKeepPolling(error: Failure): boolean {
  return error instanceof RequestError && !isRefusal(error.status);
}
