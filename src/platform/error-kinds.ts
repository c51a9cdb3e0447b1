import type { Failure } from "../errors.ts";
import { hasStatus, isNotImplemented, RequestError } from "../http/request-error.ts";
import { isRefusal } from "../http/response.ts";

/** Whether a write that failed like this may have taken effect: it was sent, and not refused (4xx, or 501 from the API). */
export function mayHaveTakenEffect(error: unknown): error is RequestError {
  if (!(error instanceof RequestError)) return false;
  return error.sent && (error.status < 400 || error.status >= 500) && !isNotImplemented(error);
}

/** Whether the API itself says that it has no such endpoint. */
export function isUnsupported(error: unknown): error is RequestError {
  return hasStatus(error, 404, 405, 501) && error.isFromApi;
}

/** Whether the API itself says that the object does not exist. */
export function isNotFound(error: unknown): error is RequestError {
  return hasStatus(error, 404) && error.isFromApi;
}

/** Whether the platform refuses a name that is taken. */
export function isConflict(error: unknown): error is RequestError {
  return hasStatus(error, 409);
}

/** Whether the API itself says that nothing has this id. One of another form than its own is refused as invalid. */
export function isUnknownId(error: unknown): error is RequestError {
  return hasStatus(error, 400, 404, 422) && error.isFromApi;
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
