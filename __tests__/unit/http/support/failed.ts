import { type FailureReason, RequestError } from "../../../../src/http/request-error.ts";
import { text } from "../../../../src/text/message.ts";

/** The error of a request without a response, by default because its connection failed. */
export function noResponse(wasSent: boolean, kind: "connection" | "proxy" = "connection"): RequestError {
  return new RequestError(text`It failed.`, { kind, wasSent }, { hint: text`Reach host.example.` });
}

/** The error of a response with this status, by default from the API itself. */
export function badResponse(
  status: number,
  parts: Partial<Extract<FailureReason, { kind: "response" }>> = {},
): RequestError {
  const failure = { kind: "response", status, isFromApi: true, retryAfterMs: 0, ...parts } as const;
  return new RequestError(text`It failed.`, failure, { hint: text`` });
}
