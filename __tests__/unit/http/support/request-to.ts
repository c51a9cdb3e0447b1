import type { HttpRequest } from "../../../../src/http/request.ts";
import type { HintFor } from "../../../../src/http/request-error.ts";

/** The hint of an API that knows nothing better. */
export const reachHintFor: HintFor = (_failure, reach) => reach;

/** A request with a key in its headers, which no message may show. */
export function requestTo(address: string, parts: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "GET",
    url: new URL(address),
    headers: { "x-api-key": "hidden-key" },
    hintFor: reachHintFor,
    ...parts,
  };
}
