import { RequestError } from "../../../../src/http/request-error.ts";
import { text } from "../../../../src/text/message.ts";

type Parts = Partial<ConstructorParameters<typeof RequestError>[1]>;

/** The error of a request that got no complete response. */
export function noResponse(sent: boolean, parts: Parts = {}): RequestError {
  return new RequestError(text`It failed.`, {
    mayHaveReachedServer: sent,
    hint: text`Reach host.example.`,
    ...parts,
  });
}

/** The error of a response with this status. */
export function badResponse(status: number, parts: Parts = {}): RequestError {
  return new RequestError(text`It failed.`, { status, isFromApi: true, hint: text``, ...parts });
}
