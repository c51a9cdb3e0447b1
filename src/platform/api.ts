import type { ApiClient } from "../http/api-client.ts";
import { urlBelow } from "../http/url.ts";

export interface PlatformApi {
  readonly client: ApiClient;
  readonly endpoint: EndpointTag;
}

type EndpointTag = (path: TemplateStringsArray, ...values: readonly (string | number)[]) => URL;

/**
 * Returns the template tag for addresses below a base URL. Each value is encoded as one segment of the path or one value of
 * the query. Encoding does not change `.` and `..`, so callers must not pass them.
 */
export function endpointTag(base: URL): EndpointTag {
  return ({ raw }, ...values) => {
    const encoded = values.map((value) => encodeURIComponent(String(value).toWellFormed()));
    return urlBelow(base, String.raw({ raw }, ...encoded));
  };
}
