/** What differs in how the emulator answers: `standard` is platform-api, `langsmith` the dialect of the live platform. */

import type { Hono } from "hono";
import type * as v from "valibot";
import type { ControlPlane } from "./deployments/control-plane.ts";
import type { RevisionControl } from "./deployments/revision-control.ts";
import type { Config, DeploymentChange, DeploymentRow, NewDeployment } from "./deployments/store.ts";
import type {
  DeploymentView,
  PlainDeploymentView,
  PlainRevisionView,
  RevisionView,
} from "./deployments/views.ts";
import type { Integration } from "./langsmith/integrations.ts";
import { langsmith } from "./langsmith/platform.ts";
import type { Step } from "./lifecycle.ts";
import { standard } from "./standard.ts";

/** What a new revision is made of, before its commit is known. */
export interface Source {
  readonly source: string;
  readonly repository: unknown;
  readonly config: Config;
  /** Ref → the commit it points at, where somebody says so. */
  readonly commits: ReadonlyMap<string, string>;
}

export interface RevisionsQuery {
  /** Undefined: all of them. */
  readonly limit?: number | undefined;
  readonly offset: number;
  /** Undefined: any. */
  readonly status?: readonly string[] | undefined;
}

export interface EmulatedPlatform {
  readonly createSchema: v.GenericSchema<unknown, NewDeployment>;
  readonly updateSchema: v.GenericSchema<unknown, DeploymentChange>;
  readonly revisionsQuerySchema: v.GenericSchema<unknown, RevisionsQuery>;
  readonly deleteQuerySchema: v.GenericSchema<unknown, object>;
  /** What an id in a path looks like. */
  readonly idSchema: v.GenericSchema<unknown, string>;
  /**
   * Rules beyond the schema.
   * @throws {RefusedError} 400
   */
  checkCreate(request: NewDeployment): void;
  /** The same for an update; `before`: the deployment as it is. */
  checkUpdate(before: DeploymentRow, request: DeploymentChange): void;
  /** Whether revisions of a deployment wait for each other. */
  readonly queues: boolean;
  /** A revision's configuration with what the platform adds to it when it makes the revision. */
  builtFrom(source: Source): Config;
  /** The end that a source comes to for its own fault, whatever was planned. */
  badEnd(config: Config): { status: string; message: string } | undefined;
  /** Where a live deployment is reached; `origin`: the emulator's own address. */
  liveUrl(deployment: Pick<DeploymentRow, "id" | "name">, origin: string): string;
  showRevision(view: PlainRevisionView, step: Step): RevisionView;
  showDeployment(view: PlainDeploymentView, latest: Config | undefined): DeploymentView;
  /** The operations beyond platform-api; undefined where there are none. */
  readonly extraRoutes: ((parts: ExtraParts) => ExtraRoutes) | undefined;
}

export interface ExtraParts {
  readonly controlPlane: ControlPlane;
  readonly revisions: RevisionControl;
  readonly integrations: readonly Integration[];
  /** Refs whose revisions are deployed, and don't answer as they should. */
  readonly unhealthyRefs: readonly string[];
}

export interface ExtraRoutes {
  /** Relative to `/v2/deployments`. */
  readonly deployments: Hono;
  /** Relative to `/v1/integrations`. */
  readonly integrations: Hono;
  /** Relative to `/live`: the deployments themselves. */
  readonly live: Hono;
}

export const emulatedPlatforms = { standard, langsmith } as const satisfies Record<string, EmulatedPlatform>;
export type PlatformName = keyof typeof emulatedPlatforms;
