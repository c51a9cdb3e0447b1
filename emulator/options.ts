/** What an emulator can be told when it is started. */
import { type Integration, SAMPLE_INTEGRATION } from "./langsmith/integrations.ts";
import type { RuleInput } from "./misbehave/rules.ts";
import type { PlatformName } from "./platform.ts";
import type { LoggedRequest } from "./request-log.ts";

export const DEFAULT_WORKSPACE_ID = "00000000-0000-4000-8000-000000000000";

/** Everything has a default. */
export interface EmulatorOptions {
  /** Whose dialect it speaks: `standard`. */
  readonly platform?: PlatformName;
  /** `127.0.0.1` */
  readonly host?: string;
  /** 0, which is also the default: any free port. */
  readonly port?: number;
  /** Undefined: everything is gone when it is closed. */
  readonly dataFile?: string | undefined;
  /** How long each pending status of a revision lasts: 1; 0: there is none. */
  readonly statusSeconds?: number;
  readonly apiKey?: string;
  readonly workspaceId?: string;
  /** Ref → the status in which its revisions end. */
  readonly failRefs?: Readonly<Record<string, string>>;
  /** Ref → the commit it points at, on a platform that shows commits; a ref not named here has a commit of its own. */
  readonly commits?: Readonly<Record<string, string>>;
  /** On a platform that lists them: one that covers one repository. */
  readonly integrations?: readonly Integration[];
  /** Refs whose revisions are deployed and then answer 503, on a platform whose deployments the emulator serves. */
  readonly unhealthyRefs?: readonly string[];
  /** Trace counts to put in place of those there. */
  readonly usageFile?: string | undefined;
  /** Whether a new database starts with some usage to look at: false. */
  readonly sampleUsage?: boolean;
  /** Milliseconds since the epoch; a test may hand in a virtual clock's. */
  readonly now?: () => number;
  readonly misbehave?: readonly RuleInput[];
  /** Whether `requests` is kept: true. A program that runs for days has no use for it. */
  readonly keepRequests?: boolean;
  /** Called when a request is answered, or has gone wrong as a rule said. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** Every option with its value. */
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
  unhealthyRefs: [],
  usageFile: undefined,
  sampleUsage: false,
  now: () => Date.now(),
  misbehave: [],
  keepRequests: true,
  onRequest: () => {},
};

/** The options, and the defaults of those that aren't given. */
export function settingsOf(options: EmulatorOptions): Settings {
  return { ...defaults, ...options };
}
