/** The options of an emulator. */

import type { Dialect, Listener } from "./dialects/dialect.ts";
import { langsmith } from "./dialects/langsmith.ts";
import { standard } from "./dialects/standard.ts";
import type { FaultRule } from "./faults/fault-rule.ts";
import type { LoggedRequest } from "./request-log.ts";
import { type Integration, SAMPLE_INTEGRATION } from "./routes/integrations.ts";
import type { RunOptions } from "./runner/settings.ts";

export const dialects = { standard, langsmith } as const satisfies Record<string, Dialect>;
export type PlatformName = keyof typeof dialects;

export const DEFAULT_WORKSPACE_ID = "00000000-0000-4000-8000-000000000000";

/** Every option has a default. */
export interface EmulatorOptions {
  /** The dialect: `standard`. */
  readonly platform?: PlatformName;
  /** `127.0.0.1` */
  readonly host?: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Undefined: everything is gone when the emulator is closed. */
  readonly dataFile?: string | undefined;
  /** How long each pending status of a revision lasts: 1. 0 skips them. */
  readonly statusSeconds?: number;
  readonly apiKey?: string;
  readonly workspaceId?: string;
  /** Ref → the status in which its revisions end. */
  readonly failRefs?: Readonly<Record<string, string>>;
  /** Ref → the commit that it points at, in a dialect that shows commits. Other refs get a hash. */
  readonly commits?: Readonly<Record<string, string>>;
  /** In a dialect that lists them: one that covers one repository. */
  readonly integrations?: readonly Integration[];
  /** Of the workspace, in a dialect that lists them: none. With one, every image of `external_docker` needs a listener. */
  readonly listeners?: readonly Listener[];
  /** Of the vendor's cloud: undefined. `aws-us` refuses types that scale to zero. */
  readonly region?: string | undefined;
  /** Refs whose revisions are deployed and whose agents then respond with 503. */
  readonly unhealthyRefs?: readonly string[];
  /** The only valid `X-Api-Key` of agents; undefined: they need none. */
  readonly agentKey?: string | undefined;
  /** Whether `GET /` shows a page to browsers, if the host is the loopback: true. */
  readonly page?: boolean;
  /** Replaces all trace counts. */
  readonly usageFile?: string | undefined;
  /** Whether a new database starts with sample usage: false. */
  readonly sampleUsage?: boolean;
  /** Milliseconds since the epoch; tests may pass a virtual clock. */
  readonly now?: () => number;
  readonly faults?: readonly FaultRule[];
  /** Whether `requests` is kept: true. A program that runs for days does not need it. */
  readonly keepRequests?: boolean;
  /** Builds and runs revisions on this machine instead of simulating them: undefined. */
  readonly run?: RunOptions | undefined;
  /** Called with the name and the URL when a deployment goes live that is run on this machine. */
  readonly onLive?: (name: string, url: string) => void;
  /** Called with the name and the reason, without secrets, when a revision fails that is run on this machine. */
  readonly onFailed?: (name: string, reason: string) => void;
  /** Called when a request has its response, or a fault has left it without one. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

export type Settings = Required<EmulatorOptions>;

const defaults: Settings = {
  platform: "standard",
  host: "127.0.0.1",
  port: 0,
  dataFile: undefined,
  statusSeconds: 1,
  apiKey: "local-api-key",
  workspaceId: DEFAULT_WORKSPACE_ID,
  failRefs: {},
  commits: {},
  integrations: [SAMPLE_INTEGRATION],
  listeners: [],
  region: undefined,
  unhealthyRefs: [],
  agentKey: undefined,
  page: true,
  usageFile: undefined,
  sampleUsage: false,
  now: () => Date.now(),
  faults: [],
  keepRequests: true,
  run: undefined,
  onLive: () => {},
  onFailed: () => {},
  onRequest: () => {},
};

/** The options, completed by the defaults. */
export function withDefaults(options: EmulatorOptions): Settings {
  return { ...defaults, ...options };
}
