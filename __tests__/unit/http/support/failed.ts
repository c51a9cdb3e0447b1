import { type FailureReason, RequestError } from "../../../../src/http/request-error.ts";
import { text } from "../../../../src/text/message.ts";

/** The error of a request whose connection failed. */
export function noResponse(wasSent: boolean): RequestError {
  return new RequestError(
    text`It failed.`,
    { kind: "connection", wasSent },
    { hint: text`Reach host.example.` },
  );
}

/** The error of a response with this status, by default from the API itself. */
export function badResponse(
  status: number,
  parts: Partial<Extract<FailureReason, { kind: "response" }>> = {},
): RequestError {
  const failure = { kind: "response", status, isFromApi: true, retryAfterMs: 0, ...parts } as const;
  return new RequestError(text`It failed.`, failure, { hint: text`` });
}
