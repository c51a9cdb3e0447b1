import { ConnectionError } from "../../../../src/http/connection-error.ts";
import { ResponseError } from "../../../../src/http/response-error.ts";
import { text } from "../../../../src/text/message.ts";
import { requestTo } from "./request-to.ts";

/** The error of a request that got no complete response. */
export function noResponse(sent: boolean, kind: ConnectionError["kind"] = "connection"): ConnectionError {
  return new ConnectionError(requestTo("https://host.example/"), text`it failed`, { kind, sent });
}

/** The error of a response with this status. */
export function badResponse(
  status: number,
  parts: Partial<ConstructorParameters<typeof ResponseError>[1]> = {},
): ResponseError {
  const kind = status < 300 ? "unexpected" : "refused";
  return new ResponseError(text`It failed.`, { kind, status, isFromApi: true, hint: text``, ...parts });
}
