// Endpoints that only LangSmith Deployment has.

import * as v from "valibot";
import { undefinedIf } from "../errors.ts";
import type { ApiClient } from "../http/api-client.ts";
import { isNotFound } from "../http/request-error.ts";
import { parseBody } from "../http/response.ts";
import { retryIdempotent } from "../http/retry.ts";
import { apiPath } from "../http/url.ts";
import { arrayOf, IdSchema } from "../text/schemas.ts";
import type { DeploymentId } from "./ids.ts";
import type { Integration } from "./platform.ts";
import { maxUploadBytes, type UploadAddress } from "./source-upload.ts";

/** https://docs.langchain.com/api-reference/integrations-v1/list-github-integrations */
const IntegrationListSchema = arrayOf(
  v.looseObject({ id: IdSchema, name: v.fallback(v.optional(v.string(), ""), "") }),
);

/** https://docs.langchain.com/api-reference/integrations-v1/list-github-repositories */
const RepositoryListSchema = arrayOf(v.looseObject({ url: v.string() }));

/** Used if the platform reports no headers: the addresses of its store are signed for this one. */
const defaultHeaders: UploadAddress["headers"] = {
  "x-goog-content-length-range": `0,${maxUploadBytes}`,
};

/** https://github.com/langchain-ai/langgraph/blob/main/libs/cli/langgraph_cli/host_backend.py */
const UploadAddressSchema = v.pipe(
  v.looseObject({
    upload_url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)),
    upload_headers: v.nullish(v.record(v.pipe(v.string(), v.toLowerCase()), v.string()), {}),
    object_path: v.pipe(v.string(), v.minLength(1)),
  }),
  v.transform(({ upload_url, upload_headers, object_path }) => ({
    url: new URL(upload_url),
    headers: Object.keys(upload_headers).length > 0 ? upload_headers : defaultHeaders,
    objectPath: object_path,
  })),
);

/** Asking for a second address does not change the deployment, so this is retried like a read. */
export async function createUploadAddress(api: ApiClient, id: DeploymentId): Promise<UploadAddress> {
  const request = {
    method: "POST",
    path: apiPath`/v2/deployments/${id}/upload-url`,
    // Without this field, the platform does not show the headers that some stores need.
    body: { supports_upload_headers: true },
  } as const;
  return parseBody(await api.send(request, retryIdempotent), UploadAddressSchema);
}

export async function listIntegrations(api: ApiClient): Promise<readonly Integration[]> {
  const integrations: Integration[] = [];
  for (const { id, name } of await api.read("/v1/integrations/github/install", IntegrationListSchema)) {
    const read = () => api.read(apiPath`/v1/integrations/github/${id}/repos`, RepositoryListSchema);
    // An integration that was removed on GitHub may still be listed.
    const repositories = (await undefinedIf(read, isNotFound)) ?? [];
    integrations.push({ id, name, repositories: repositories.map(({ url }) => url) });
  }
  return integrations;
}
