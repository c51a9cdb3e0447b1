import type { Failure } from "../errors.ts";
import { hasStatus, isNotImplemented, RequestError } from "./request-error.ts";
import { isUnauthorized } from "./response.ts";

/** Whether a write that failed like this may have taken effect: it was sent, and not refused (4xx, or 501 from the API). */
export function mayHaveTakenEffect(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return (
    error.mayHaveReachedServer && (error.status < 400 || error.status >= 500) && !isNotImplemented(error)
  );
}

/** Whether the API itself says that it has no such endpoint. */
export function isUnsupported(error: unknown): error is RequestError {
  return hasStatus(error, 404, 405, 501) && error.isFromApi;
}

/** Whether the API itself says that the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404) && error.isFromApi;
}

/** Whether the server refuses a request with 409: for a create, the name is usually taken. */
export function isConflict(error: unknown): boolean {
  return hasStatus(error, 409);
}

/** Whether the API itself may mean that nothing has this id: it refuses one that does not look like its own as invalid. */
export function mayBeUnknownId(error: unknown): error is RequestError {
  return hasStatus(error, 400, 404, 422) && error.isFromApi;
}

/** Whether polling may continue. A refused key or workspace (401, 403) stays refused. */
export function mayKeepPolling(error: Failure): boolean {
  return error instanceof RequestError && !isUnauthorized(error.status);
}
