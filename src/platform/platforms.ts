/** What differs between the platforms that serve this API. No other code asks which platform it is. */
export interface Platform {
  /** Names on the wire, by the names in `schemas.ts` from which they differ. */
  readonly wireNames: Readonly<Record<string, string>>;
  /** The default of `app_config_path` on create. */
  readonly appConfigPath: string | undefined;
  /** Hosts by the value of `region`. The first one is the default. */
  readonly regions: Readonly<Record<string, { readonly controlPlane: string; readonly usage: string }>>;
  /** Rules that the platform reports late or without a reason; checked before anything is sent. */
  readonly rules: PlatformRules | undefined;
  /** Endpoints and fields that not every platform has. */
  readonly offers: {
    /** `GET /v1/integrations/github/…`, to find `integration_id`. */
    readonly integrations: boolean;
    /** Build and deploy logs of a revision. */
    readonly logs: boolean;
    /** `updated_at` of a revision, which shows how long earlier ones took. */
    readonly durations: boolean;
    /** `listener_id` in `source_config`. */
    readonly listeners: boolean;
  };
}

export interface PlatformRules {
  readonly name: RegExp;
  readonly nameMaxLength: number;
  readonly deploymentTypes: readonly string[];
  readonly reservedSecrets: readonly string[];
  /** Inputs whose value is fixed once the deployment exists. */
  readonly fixedInputs: readonly ("source" | "integration_id" | "repo_url" | "deployment_type")[];
  /** A ref is a branch or tag, not a commit. */
  readonly refusesCommits: boolean;
  /** `build_on_push` must be false for a tag. */
  readonly refusesTagsOnPush: boolean;
}

export const standard: Platform = {
  wireNames: {},
  appConfigPath: undefined,
  regions: {},
  rules: undefined,
  offers: { integrations: false, logs: false, durations: false, listeners: false },
};

const usageHost = (region: string) => `https://${region}api.smith.langchain.com`;

const langsmith: Platform = {
  wireNames: { app_config_path: "langgraph_config_path" },
  appConfigPath: "langgraph.json",
  regions: {
    us: { controlPlane: "https://api.host.langchain.com", usage: usageHost("") },
    eu: { controlPlane: "https://eu.api.host.langchain.com", usage: usageHost("eu.") },
  },
  rules: {
    name: /^[a-z][a-z0-9-]*$/,
    nameMaxLength: 63,
    deploymentTypes: ["dev_free", "dev", "prod"],
    reservedSecrets: [
      "LANGSMITH_API_KEY",
      "LANGCHAIN_API_KEY",
      "LANGSMITH_ENDPOINT",
      "LANGSMITH_PROJECT",
      "POSTGRES_URI",
      "DATABASE_URI",
      "REDIS_URI",
      "PATH",
      "PORT",
    ],
    fixedInputs: ["source", "integration_id", "repo_url", "deployment_type"],
    refusesCommits: true,
    refusesTagsOnPush: true,
  },
  offers: { integrations: true, logs: true, durations: true, listeners: true },
};

/** The platforms by the value of the input `platform`. */
export const platforms: Readonly<Record<string, Platform>> = { standard, langsmith };
