/** The differences between the platforms that serve this API. */
import type * as v from "valibot";
import type { Page } from "../pages.ts";
import type { Config, DeploymentChange, DeploymentRow, NewDeployment } from "../store/deployments.ts";
import type { Step } from "../timeline.ts";
import type { DeploymentView, PlainDeploymentView, PlainRevisionView, RevisionView } from "./views.ts";

export interface DeploymentsQuery extends Page {
  readonly limit: number;
  readonly name_contains: string;
  /** Undefined: any. */
  readonly name?: string | undefined;
}

export interface RevisionsQuery extends Page {
  /** Undefined: any. */
  readonly status?: readonly string[] | undefined;
}

export interface DeleteOptions {
  /** Whether the name stays taken by the tracing project of the deployment. */
  readonly leavesTracingProject: boolean;
}

/** A program in a Kubernetes cluster that deploys images there. */
export interface Listener {
  readonly id: string;
  readonly namespaces: readonly string[];
}

/** What the rules of a create depend on besides its request. */
export interface Installation {
  /** Of the vendor's cloud. */
  readonly region: string | undefined;
  readonly listeners: readonly Listener[];
}

export interface Dialect {
  readonly createSchema: v.GenericSchema<unknown, NewDeployment>;
  readonly updateSchema: v.GenericSchema<unknown, DeploymentChange>;
  /** Of `POST …/revisions`; undefined if the dialect has no such operation. */
  readonly createRevisionSchema: v.GenericSchema<unknown, DeploymentChange> | undefined;
  readonly deploymentsQuerySchema: v.GenericSchema<unknown, DeploymentsQuery>;
  readonly revisionsQuerySchema: v.GenericSchema<unknown, RevisionsQuery>;
  readonly deleteQuerySchema: v.GenericSchema<unknown, DeleteOptions>;
  /** The form of an id in a path. */
  readonly idSchema: v.GenericSchema<unknown, string>;
  /**
   * Checks the rules beyond the schema.
   * @throws {RefusedError} 400
   */
  checkCreate(request: NewDeployment, installation: Installation): void;
  /**
   * Checks the rules beyond the schema.
   * @throws {RefusedError} 400
   */
  checkUpdate(before: DeploymentRow, request: DeploymentChange): void;
  /** Whether the revisions of a deployment wait for each other. */
  readonly queues: boolean;
  /** Whether a create makes no revision: the source comes later. */
  createsWithoutRevision(source: string): boolean;
  /** Whether the archive or image of a source that comes later is still missing. */
  awaitsSource(deployment: Pick<DeploymentRow, "source" | "source_revision_config">): boolean;
  /** The configuration of a new revision, with the fields that the platform adds. */
  revisionConfig(config: Config, commit: string | null): Config;
  /** The end of a revision whose source is invalid; undefined for a valid source. */
  failureOf(config: Config): { status: string; message: string } | undefined;
  showRevision(view: PlainRevisionView, step: Step): RevisionView;
  /** `latest` is the configuration of the latest revision. */
  showDeployment(view: PlainDeploymentView, latest: Config | undefined): DeploymentView;
  /** Whether it serves uploads, logs, redeploying, interrupting, and integrations. */
  readonly hasExtensions: boolean;
}
