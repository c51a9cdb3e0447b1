/** What differs between the platforms that serve this API. No other place asks which platform it is. */
export interface Platform {
  /** Names on the wire that differ from the ones in `schemas.ts`, by those. */
  readonly wireNames: Readonly<Record<string, string>>;
  /** Default of `app_config_path` on create. */
  readonly appConfigPath: string | undefined;
  /** Addresses that `region` stands for; the first is taken where neither it nor an address is given. */
  readonly regions: Readonly<Record<string, { readonly controlPlane: string; readonly usage: string }>>;
  /** Rules known to fail late there, checked before anything is sent; undefined where none are known. */
  readonly rules: PlatformRules | undefined;
  /** Endpoints and fields beyond platform-api that may be asked for (platform-field-notes, "Endpoints beyond"). */
  readonly offers: {
    /** `GET /v1/integrations/github/…`, to find `integration_id`. */
    readonly integrations: boolean;
    /** Build and deploy logs of a revision. */
    readonly logs: boolean;
    /** `updated_at` of a revision, from which it is known how long earlier ones took. */
    readonly durations: boolean;
    /** `listener_id` in `source_config`. */
    readonly listeners: boolean;
  };
}

/** Platform-field-notes, Rules. */
export interface PlatformRules {
  readonly name: RegExp;
  readonly nameMaxLength: number;
  readonly deploymentTypes: readonly string[];
  readonly reservedSecrets: readonly string[];
  /** Inputs that can't change once the deployment exists. */
  readonly fixedInputs: readonly ("source" | "integration_id" | "repo_url" | "deployment_type")[];
  /** Refs are branches and tags; a commit is none. */
  readonly refusesCommits: boolean;
  /** A tag can't be built on push. */
  readonly refusesTagsOnPush: boolean;
}

/** What platform-api describes, and nothing else. */
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

/** By the value of the input `platform`. */
export const platforms: Readonly<Record<string, Platform>> = { standard, langsmith };
