import { type Failure, undefinedIf } from "../errors.ts";
import { hasStatus } from "../http/request-error.ts";
import { parseBody } from "../http/response.ts";
import { retryIdempotent } from "../http/retry.ts";
import { withoutUndefined } from "../text/json.ts";
import { rawText } from "../text/message.ts";
import type { PlatformApi } from "./api.ts";
import {
  createWarnings,
  findProblems,
  findUpdateProblems,
  reservedNames,
  wireType,
} from "./langsmith-rules.ts";
import { openLog } from "./logs.ts";
import {
  type CloudRegion,
  type DividedUpdate,
  type Integration,
  maxUploadBytes,
  type Platform,
  type Region,
  regionOf,
} from "./platform.ts";
import {
  IntegrationListSchema,
  RepositoryListSchema,
  type UpdateRequest,
  type UploadAddress,
  UploadAddressSchema,
} from "./schemas.ts";
import { sourceKinds } from "./source-kinds.ts";

const region = (prefix: string): CloudRegion => ({
  controlPlane: `https://${prefix}api.host.langchain.com`,
  usage: `https://${prefix}api.smith.langchain.com`,
  console: `https://${prefix}smith.langchain.com`,
});

const regions: Readonly<Record<Region, CloudRegion>> = {
  us: region(""),
  eu: region("eu."),
  apac: region("apac."),
  "aws-us": region("aws."),
};

/** Whether a control plane belongs to the vendor's cloud. Any other is self-hosted. */
const isCloud = (url: URL) => regionOf(url, regions) !== undefined;

export const langsmith: Platform = {
  regions,
  defaultAppConfigPath: "langgraph.json",
  reservedNames,
  deleteTracesQuery: "delete_tracing_project=true",
  rollbackWarning: undefined,

  createDefaults: (url, sourceKind) =>
    sourceKind === sourceKinds.otherImage
      ? { resource_spec: {} }
      : { deployment_type: isCloud(url) ? "serverless" : "dev" },
  encode({ source_config: settings, source_revision_config: config, ...others }) {
    const { deployment_type: type } = settings ?? {};
    const { app_config_path: path, ...rest } = config ?? {};
    return {
      ...others,
      ...(settings && { source_config: { ...settings, ...(type && { deployment_type: wireType(type) }) } }),
      ...(config && {
        source_revision_config: path === undefined ? rest : { ...rest, langgraph_config_path: path },
      }),
    };
  },
  divideUpdate,
  createsWithoutRevision,
  removedSecrets({ secrets }, { secretNames = [] }) {
    if (secrets === undefined) return [];
    return secretNames.filter((secretName) => !secrets.some(({ name }) => name === secretName));
  },

  findProblems: (desired, url) => findProblems(desired, isCloud(url)),
  findUpdateProblems,
  fallbackType,
  createWarnings: (request, url) => createWarnings(request, isCloud(url)),

  createUploadAddress,
  listIntegrations,
  openLog,
};

/** An archive, or an image in the platform's own registry, is sent after the create. */
function createsWithoutRevision(sourceKind: string): boolean {
  return sourceKind === sourceKinds.upload || sourceKind === sourceKinds.platformImage;
}

/** Leaves out fields that are fixed once the deployment exists: the platform refuses even another spelling of their value. */
function divideUpdate({ source_config = {}, ...rest }: UpdateRequest, sourceKind: string): DividedUpdate {
  const { custom_url, resource_spec, install_command, build_command, repo_url, build_on_push } =
    source_config;
  if (createsWithoutRevision(sourceKind)) {
    const config = withConfig({ custom_url, resource_spec, install_command, build_command });
    const revision_source =
      sourceKind === sourceKinds.upload ? sourceKinds.upload : sourceKinds.platformImage;
    return { revisionPart: { method: "PATCH", body: { revision_source, ...config, ...rest } } };
  }
  const settings = withConfig({ repo_url, build_on_push, custom_url });
  return {
    settingsPart: settings.source_config && { method: "PATCH", body: settings },
    revisionPart: { method: "POST", body: { ...withConfig({ resource_spec }), ...rest } },
  };
}

/** Returns `dev` in the AWS region, where no type scales to zero. Only these words of the refusal show that. */
function fallbackType(refusal: Failure): string | undefined {
  return hasStatus(refusal, 400) && /scale to zero/i.test(rawText(refusal.ending.message))
    ? "dev"
    : undefined;
}

type Optional<T> = { [Key in keyof T]: T[Key] | undefined };

/** Returns the defined fields as `source_config`; an empty object if there are none. */
function withConfig(
  fields: Optional<NonNullable<UpdateRequest["source_config"]>>,
): Pick<UpdateRequest, "source_config"> {
  const defined = withoutUndefined(fields);
  return Object.keys(defined).length === 0 ? {} : { source_config: defined };
}

/** Used if the platform reports no headers: the addresses of its store are signed for this one. */
const defaultHeaders = { "x-goog-content-length-range": `0,${maxUploadBytes}` };

/** Asking for a second address does not change the deployment, so this is retried like a read. */
async function createUploadAddress({ client, url }: PlatformApi, id: string): Promise<UploadAddress> {
  const address = url`/v2/deployments/${id}/upload-url`;
  // Without this field, the platform does not show the headers that some stores need.
  const body = { supports_upload_headers: true };
  const response = await client.send("POST", address, body, retryIdempotent);
  const uploadAddress = parseBody(response, UploadAddressSchema);
  const hasHeaders = Object.keys(uploadAddress.headers).length > 0;
  return hasHeaders ? uploadAddress : { ...uploadAddress, headers: defaultHeaders };
}

async function listIntegrations({ client, url }: PlatformApi): Promise<readonly Integration[]> {
  const integrations: Integration[] = [];
  for (const { id, name } of await client.read(url`/v1/integrations/github/install`, IntegrationListSchema)) {
    const read = () => client.read(url`/v1/integrations/github/${id}/repos`, RepositoryListSchema);
    // An integration that was removed on GitHub may still be listed.
    const listed = (await undefinedIf(read, (error) => hasStatus(error, 403, 404))) ?? [];
    integrations.push({ id, name, repositories: listed.map((repository) => repository.url) });
  }
  return integrations;
}
