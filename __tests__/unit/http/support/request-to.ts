import type { HttpRequest } from "../../../../src/http/request.ts";

/** A request with a key in its headers, which no message may show. */
export function requestTo(address: string, parts: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "GET",
    url: new URL(address),
    headers: { "x-api-key": "hidden-key" },
    ...parts,
  };
}
