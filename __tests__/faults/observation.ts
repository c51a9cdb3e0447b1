import type { DeploymentSnapshot } from "../../emulator/deployments/control-plane.ts";
import type { ActionName } from "../../src/run.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";

/** All that can be seen of a run from outside, with the platform's own state before and after it. */
export interface Observation {
  readonly action: ActionName;
  readonly succeeded: boolean;
  /** The output `outcome`; where the action has none, `done` or `failed`. */
  readonly ending: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly lines: readonly { readonly kind: string; readonly text: string }[];
  readonly summary: string;
  readonly state: Readonly<Record<string, string>>;
  readonly before: readonly DeploymentSnapshot[];
  readonly after: readonly DeploymentSnapshot[];
  /** A revision that was there before and may count as this run's. */
  readonly ownRevision: string | undefined;
  /** Revisions beside its own that the run may bring about: somebody else's, a rollback's. */
  readonly furtherRevisions: number;
  readonly platform: readonly ProxiedRequest[];
  readonly github: readonly ProxiedRequest[];
  /** Connections to a host that redirects lead to. */
  readonly visitsElsewhere: number;
  /** Requests over a connection with a bad certificate. */
  readonly overBadTls: number;
  /** What the run left in the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** Requests that GitHub doesn't describe. */
  readonly violations: readonly string[];
  /** Records on GitHub, with their newest state. */
  readonly records: readonly { readonly id: number; readonly state: string | undefined }[];
  /** Both in milliseconds since the epoch, by the run's own clock. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The input `timeout_seconds`, in milliseconds. */
  readonly timeoutMs: number;
}

export interface NewRevision {
  readonly deploymentId: string;
  readonly id: string;
  readonly status: string;
}

/** Revisions that weren't there before the run, whoever made them. */
export function newRevisions({ before, after }: Observation): readonly NewRevision[] {
  const known = new Set(before.flatMap(({ revisions }) => revisions.map(({ id }) => id)));
  return after.flatMap(({ id: deploymentId, revisions }) =>
    revisions.filter(({ id }) => !known.has(id)).map(({ id, status }) => ({ deploymentId, id, status })),
  );
}

/** The ids of deployments that weren't there before the run, whoever made them. */
export function newDeployments({ before, after }: Observation): readonly string[] {
  const known = new Set(before.map(({ id }) => id));
  return after.map(({ id }) => id).filter((id) => !known.has(id));
}
