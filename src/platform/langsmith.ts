import { retryIdempotent, retryIfNotSent } from "../http/retry.ts";
import { toRevision } from "./deployment.ts";
import { createWarning, findProblems, findUpdateProblems } from "./langsmith-rules.ts";
import { openLog } from "./logs.ts";
import type { CloudRegion, DividedUpdate, Platform } from "./platform.ts";
import {
  IntegratedRepositoryListSchema,
  IntegrationListSchema,
  RevisionSchema,
  type UpdateRequest,
} from "./schemas.ts";
import { sourceKinds } from "./source-kinds.ts";
import { UploadAddressSchema, uploadAddressRequest } from "./upload-address.ts";

/** `prefix`: what the names of a region's hosts start with. */
const region = (prefix: string): CloudRegion => ({
  controlPlane: `https://${prefix}api.host.langchain.com`,
  usage: `https://${prefix}api.smith.langchain.com`,
  console: `https://${prefix}smith.langchain.com`,
});

const regions: Readonly<Record<string, CloudRegion>> = {
  us: region(""),
  eu: region("eu."),
  apac: region("apac."),
  "aws-us": region("aws."),
};

/** Whether a control plane is the vendor's own; any other is self-hosted. */
function isCloud(url: URL): boolean {
  return Object.values(regions).some(({ controlPlane }) => new URL(controlPlane).origin === url.origin);
}

/** LangSmith Deployment. */
export const langsmith: Platform = {
  regions,
  defaultAppConfigPath: "langgraph.json",
  deleteTracesQuery: { delete_tracing_project: "true" },
  rollbackWarning: undefined,

  defaultType: (url) => (isCloud(url) ? "serverless" : "dev"),
  encode({ source_revision_config: config, ...others }) {
    if (config === undefined) return others;
    const { app_config_path: path, ...rest } = config;
    const renamed = path === undefined ? rest : { ...rest, langgraph_config_path: path };
    return { ...others, source_revision_config: renamed };
  },
  divideUpdate,
  createsWithoutRevision,
  removedSecrets({ secrets }, { secretNames = [] }) {
    if (secrets === undefined) return [];
    return secretNames.filter((current) => !secrets.some(({ name }) => name === current));
  },

  findProblems: (wanted, url) => findProblems(wanted, isCloud(url)),
  findUpdateProblems,
  createWarning: (request, url) => createWarning(request, isCloud(url)),

  listenerConfig: (listener_id) => ({ listener_id }),
  async createRevision({ client, routes }, id, body) {
    const response = await client.send("POST", routes.newRevision(id), retryIfNotSent, body);
    return toRevision(client.parse(response, RevisionSchema));
  },
  async createUploadAddress({ client, routes }, id) {
    // To ask again changes nothing.
    const response = await client.send(
      "POST",
      routes.uploadAddress(id),
      retryIdempotent,
      uploadAddressRequest,
    );
    return client.parse(response, UploadAddressSchema);
  },
  listIntegrations: ({ client, routes }) => client.read(routes.integrations(), IntegrationListSchema),
  async listIntegratedRepositories({ client, routes }, integrationId) {
    const url = routes.integratedRepositories(integrationId);
    return (await client.read(url, IntegratedRepositoryListSchema)).map((repository) => repository.url);
  },
  openLog,
};

/** Archives, and images of the platform's own registry. */
function createsWithoutRevision(source: string): boolean {
  return source === sourceKinds.upload || source === sourceKinds.ownImage;
}

/** What is fixed once the deployment exists is never sent: the platform would refuse even another spelling. */
function divideUpdate({ source_config = {}, ...rest }: UpdateRequest, source: string): DividedUpdate {
  const { custom_url, resource_spec, install_command, build_command, repo_url, build_on_push } =
    source_config;
  if (createsWithoutRevision(source)) {
    const config = withConfig({ custom_url, resource_spec, install_command, build_command });
    const revision_source = source === sourceKinds.upload ? sourceKinds.upload : sourceKinds.ownImage;
    return { settings: undefined, revision: { revision_source, ...config, ...rest }, isPosted: false };
  }
  const pushed = source === sourceKinds.github ? build_on_push : undefined;
  const settings = withConfig({ repo_url, build_on_push: pushed, custom_url });
  return {
    settings: settings.source_config && settings,
    revision: { ...withConfig({ resource_spec }), ...rest },
    isPosted: true,
  };
}

type SourceConfig = NonNullable<UpdateRequest["source_config"]>;
type Optional<T> = { [Key in keyof T]: T[Key] | undefined };

/** The fields that are given; empty without any. */
function withConfig(fields: Optional<SourceConfig>): Pick<UpdateRequest, "source_config"> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { source_config: Object.fromEntries(given) };
}
