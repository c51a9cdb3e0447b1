import type { ApiClient } from "../http/api-client.ts";

/** What a request of a control plane is made with. */
export interface PlatformApi {
  readonly client: ApiClient;
  readonly url: UrlTag;
}

type UrlTag = (path: TemplateStringsArray, ...values: readonly (string | number)[]) => URL;

/**
 * The tag of templates for addresses below a base URL, whose path (such as `/api-host`) is kept. Each value is one encoded
 * segment, or a value of the query: ids are neither `.` nor `..`, which inputs and schemas refuse.
 */
export function urlBelow(base: URL): UrlTag {
  const start = base.href.replace(/\/+$/, "");
  return ({ raw }, ...values) => {
    const encoded = values.map((value) => encodeURIComponent(String(value).toWellFormed()));
    return new URL(start + String.raw({ raw }, ...encoded));
  };
}
