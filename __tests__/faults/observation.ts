import type { DeploymentSnapshot } from "../../emulator/index.ts";
import type { ActionName } from "../../src/run.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import type { StepOptions } from "./scenario.ts";

/** What can be seen of a run from outside, with the platform's state before and after it. */
export interface Observation {
  readonly action: ActionName;
  readonly succeeded: boolean;
  /** The output `outcome`; if the action has none, `done` or `failed`. */
  readonly ending: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly lines: readonly { readonly kind: string; readonly text: string }[];
  readonly summary: string;
  readonly state: Readonly<Record<string, string>>;
  readonly before: readonly DeploymentSnapshot[];
  readonly after: readonly DeploymentSnapshot[];
  readonly options: StepOptions;
  /** The number of revisions that appear besides the run's own. */
  readonly otherRevisions: number;
  readonly platform: readonly ProxiedRequest[];
  readonly github: readonly ProxiedRequest[];
  /** Connections to the host that redirects lead to. */
  readonly visitsToOtherHost: number;
  /** Requests over a connection with a bad certificate. */
  readonly overBadTls: number;
  /** The files in the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** Requests that GitHub does not describe. */
  readonly violations: readonly string[];
  /** Records on GitHub, with their newest state. */
  readonly records: readonly { readonly id: number; readonly state: string | undefined }[];
  /** In milliseconds since the epoch, by the clock of the run. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The input `timeout_seconds`, in milliseconds. */
  readonly timeoutMs: number;
}

/** Something that has to be true of a run. Returns what is wrong. */
export type Check = (run: Observation) => readonly string[];

/** Revisions that did not exist before the run, whoever made them. */
export function newRevisions({ before, after }: Observation): readonly { id: string; status: string }[] {
  const known = new Set(before.flatMap(({ revisions }) => revisions.map(({ id }) => id)));
  return after.flatMap(({ revisions }) => revisions).filter(({ id }) => !known.has(id));
}

/** The ids of deployments that did not exist before the run, whoever made them. */
export function newDeployments({ before, after }: Observation): readonly string[] {
  const known = new Set(before.map(({ id }) => id));
  return after.map(({ id }) => id).filter((id) => !known.has(id));
}

/** Whether it creates or updates a deployment. */
export function isDeploymentWrite(request: ProxiedRequest): boolean {
  const { method, path } = request;
  if (!["POST", "PATCH"].includes(method) || !path.startsWith("/v2/deployments")) return false;
  return !isRedeploy(request) && !path.endsWith("/upload-url");
}

/** Whether it uploads an archive. */
export function isUpload({ method }: ProxiedRequest): boolean {
  return method === "PUT";
}

/** Whether it deploys an earlier revision again. */
export function isRedeploy({ path }: ProxiedRequest): boolean {
  return path.endsWith("/redeploy");
}

/** Whether a response proves that a write had no effect. */
export function isRefusal(response: ProxiedRequest["response"]): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500;
}
