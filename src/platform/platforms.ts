import { createHash } from "node:crypto";
import { sourceKinds } from "./source-kinds.ts";

/** What differs between the platforms that serve this API. */
export interface Platform {
  readonly sources: PlatformSources;
  readonly updates: PlatformUpdates;
  readonly revisions: PlatformRevisions;
  readonly hosting: PlatformHosting;
  /** Names on the wire, by the names in `schemas.ts` from which they differ. */
  readonly wireNames: Readonly<Record<string, string>>;
  /** The default of `app_config_path` on create. */
  readonly defaultAppConfigPath: string | undefined;
  /** Hosts by the value of `region`. The first one is the default. */
  readonly regions: Readonly<Record<string, CloudRegion>>;
  /** Rules that the platform reports late or without a reason; checked before anything is sent. */
  readonly rules: PlatformRules | undefined;
}

/** What deployments can be made from, besides images of other registries. */
interface PlatformSources {
  /** Whether it lists the integrations that can read repositories, so that no input has to name one. */
  readonly listedIntegrations: boolean;
  /** Whether from archives that a run uploads. */
  readonly uploads: boolean;
  /** Whether from images in a registry of the platform's own. */
  readonly ownImages: boolean;
}

interface PlatformUpdates {
  /** Whether a request of its own makes the revision (`POST …/revisions`), so that settings can change without one. */
  readonly postRevisions: boolean;
  /** Whether the secrets of an update replace all earlier ones. */
  readonly replaceSecrets: boolean;
  /** Whether an update may name another repository. */
  readonly moveRepositories: boolean;
}

/** What revisions show besides their status. */
interface PlatformRevisions {
  readonly haveLogs: boolean;
  /** Whether they show when they changed. */
  readonly haveTimes: boolean;
}

/** What deployments can have while they run. */
interface PlatformHosting {
  readonly listeners: boolean;
  /** Whether a project holds the traces of each: it outlives the deployment and keeps its name taken, unless it is deleted too. */
  readonly tracingProjects: boolean;
}

/** The addresses of one region of the vendor's cloud. */
interface CloudRegion {
  readonly controlPlane: string;
  readonly usage: string;
  /** Where people see their deployments in a browser. */
  readonly console: string;
}

/** What LangSmith Deployment requires. `rules.ts` also holds that a ref is no commit, and that a tag is not built on push. */
const langsmithRules = {
  name: /^[a-z][a-z0-9-]*$/,
  nameMaxLength: 63,
  /** A self-hosted installation never reports a deployment with a longer name as ready. */
  selfHostedNameMaxLength: 21,
  /** Known types: those of a group may name the same. A type may be in several, and new ones may appear at any time. */
  deploymentTypes: [
    ["serverless", "dev", "dev_zero"],
    ["serverless", "dev_free", "dev_free_zero"],
    ["dedicated", "prod"],
  ],
  /** The default of `deployment_type` on create, on the vendor's cloud. */
  cloudDeploymentType: "serverless",
  /** Names of secrets that the platform sets itself. */
  reservedSecrets: [
    ...["LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING_V2", "LANGCHAIN_ENDPOINT", "LANGCHAIN_PROJECT"],
    ...["LANGSMITH_PROJECT", "LANGSMITH_LANGGRAPH_GIT_REPO", "LANGGRAPH_GIT_REPO_PATH"],
    ...["LANGCHAIN_API_KEY", "LANGSMITH_CONTROL_PLANE_API_KEY", "POSTGRES_URI", "POSTGRES_PASSWORD"],
    ...["DATABASE_URI", "LANGSMITH_LANGGRAPH_GIT_REF", "LANGSMITH_LANGGRAPH_GIT_REF_SHA"],
    ...["LANGGRAPH_AUTH_TYPE", "LANGSMITH_AUTH_ENDPOINT", "LANGSMITH_TENANT_ID"],
    ...["LANGSMITH_AUTH_VERIFY_TENANT_ID", "LANGSMITH_HOST_PROJECT_ID", "LANGSMITH_HOST_PROJECT_NAME"],
    ...["LANGSMITH_HOST_REVISION_ID", "LOG_JSON", "LOG_DICT_TRACEBACKS", "REDIS_URI"],
    ...["LANGCHAIN_CALLBACKS_BACKGROUND", "DD_TRACE_PSYCOPG_ENABLED", "DD_TRACE_REDIS_ENABLED"],
    ...["LANGSMITH_DEPLOYMENT_NAME", "LANGGRAPH_CLOUD_LICENSE_KEY"],
  ],
  /** Names of secrets that only the vendor's cloud sets itself. */
  cloudReservedSecrets: [
    ...["LANGSMITH_API_KEY", "LANGSMITH_ENDPOINT", "POSTGRES_URI_CUSTOM", "REDIS_URI_CUSTOM", "PATH"],
    ...["PORT", "MOUNT_PREFIX", "LSD_ENV", "LSD_DD_API_KEY", "LSD_DD_ENDPOINT", "LSD_DEPLOYMENT_TYPE"],
  ],
  /** Inputs whose value is fixed once the deployment exists. */
  immutableInputs: ["source", "integration_id", "deployment_type", "listener_id"] as const,
  /** The input without which a deployment of a source gets no revision. */
  requiredInputs: new Map<string, "source_path" | "image_uri">([
    [sourceKinds.upload, "source_path"],
    [sourceKinds.otherImage, "image_uri"],
    [sourceKinds.ownImage, "image_uri"],
  ]),
};
export type PlatformRules = typeof langsmithRules;

export const standard: Platform = {
  sources: { listedIntegrations: false, uploads: false, ownImages: false },
  updates: { postRevisions: false, replaceSecrets: false, moveRepositories: false },
  revisions: { haveLogs: false, haveTimes: false },
  hosting: { listeners: false, tracingProjects: false },
  wireNames: {},
  defaultAppConfigPath: undefined,
  regions: {},
  rules: undefined,
};

/** `prefix`: what the names of a region's hosts start with. */
const langsmithRegion = (prefix: string): CloudRegion => ({
  controlPlane: `https://${prefix}api.host.langchain.com`,
  usage: `https://${prefix}api.smith.langchain.com`,
  console: `https://${prefix}smith.langchain.com`,
});

const langsmith: Platform = {
  sources: { listedIntegrations: true, uploads: true, ownImages: true },
  updates: { postRevisions: true, replaceSecrets: true, moveRepositories: true },
  revisions: { haveLogs: true, haveTimes: true },
  hosting: { listeners: true, tracingProjects: true },
  wireNames: { app_config_path: "langgraph_config_path" },
  defaultAppConfigPath: "langgraph.json",
  regions: {
    us: langsmithRegion(""),
    eu: langsmithRegion("eu."),
    apac: langsmithRegion("apac."),
    "aws-us": langsmithRegion("aws."),
  },
  rules: langsmithRules,
};

/** The platforms by the value of the input `platform`. */
export const platforms: Readonly<Record<string, Platform>> = { standard, langsmith };

/** A control plane, and the workspace to use. */
export interface ControlPlaneSettings {
  readonly platform: Platform;
  readonly url: URL;
  /** The region that chose `url`; undefined if the URL itself was given. */
  readonly region?: string | undefined;
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Total time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** A control plane, as far as rules depend on it. */
export type PlatformTarget = Pick<ControlPlaneSettings, "platform" | "url">;

/** The region of the vendor's cloud that a control plane belongs to; undefined on any other host. */
export function cloudRegion({ platform, url }: PlatformTarget): CloudRegion | undefined {
  return Object.values(platform.regions).find((region) => new URL(region.controlPlane).origin === url.origin);
}

/**
 * Identifies a control plane and workspace in records that anyone may read. No key is part of it, so that a new key loses
 * nothing.
 */
export function controlPlaneDigest({
  url,
  workspaceId,
}: Pick<ControlPlaneSettings, "url" | "workspaceId">): string {
  const address = url.origin + url.pathname.replace(/\/+$/, "");
  return createHash("sha256")
    .update(JSON.stringify([address, workspaceId.toLowerCase()]))
    .digest("hex");
}
