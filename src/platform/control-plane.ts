import * as v from "valibot";
import type { EpochMs } from "../clock.ts";
import { ApiClient, type ApiRequest } from "../http/api-client.ts";
import { isUnsupported, type RequestError } from "../http/request-error.ts";
import { type HttpResponse, parseBody, unexpectedResponseFailure } from "../http/response.ts";
import type { RequestContext, ShouldRetry } from "../http/retry.ts";
import { apiPath } from "../http/url.ts";
import { parseJson } from "../text/json.ts";
import { code, phrase, text } from "../text/message.ts";
import { arrayOf } from "../text/schemas.ts";
import { type ControlPlaneSettings, controlPlaneDigest } from "./control-plane-settings.ts";
import { type Deployment, DeploymentSchema } from "./deployment.ts";
import { DeploymentReader } from "./deployment-reader.ts";
import type { DesiredDeployment } from "./desired-deployment.ts";
import { controlPlaneHints, createHintFor } from "./hints.ts";
import { type DeploymentId, isSameId, type RevisionId } from "./ids.ts";
import type { UpdateRequest } from "./platform.ts";
import { type Revision, RevisionSchema } from "./revision.ts";
import type { LogReader, RevisionLog } from "./revision-log.ts";

/** The revision that the response to a write names. */
export interface NamedRevision {
  readonly id: RevisionId;
  /** False if another request may have made it: it is the newest one of a deployment. */
  readonly isCertain: boolean;
}

export interface RevisionList {
  readonly listed: readonly Revision[];
  /**
   * When they were read, by the platform's own clock in whole seconds; undefined if it reports none. A revision with an earlier
   * `created_at` was there before.
   */
  readonly readAt: EpochMs | undefined;
}

export interface CreatedDeployment {
  readonly deployment: Deployment;
  /** When the create was sent, by the platform's own clock in whole seconds; undefined if it reports none. */
  readonly sentAt: EpochMs | undefined;
}

interface ControlPlaneContext extends RequestContext {
  readonly report: RequestContext["report"] & { redactInTexts(values: readonly string[]): void };
}

interface RequestLimits {
  /** How long a failed request is retried; 0 for one attempt. */
  readonly retryMs: number;
  /** The total time of each request, if that is less than `request_timeout_seconds`. */
  readonly maxRequestMs?: number;
  /** By default, the run's own signal. */
  readonly cancelled?: AbortSignal;
}

const DeploymentListSchema = v.looseObject({ resources: arrayOf(DeploymentSchema) });
const RevisionListSchema = v.looseObject({ resources: arrayOf(RevisionSchema) });

/** The largest page that platforms send. */
export const pageSize = 100;
/** A log is not worth a longer wait for a request. */
const maxLogRequestMs = 5000;

/**
 * The requests to a control plane. It may lack an endpoint, and refuses it then. What only one platform has is in its adapter.
 * Every request throws RequestError.
 */
export class ControlPlane {
  readonly #settings: ControlPlaneSettings;
  readonly #context: ControlPlaneContext;
  readonly api: ApiClient;
  /** Identifies the control plane and workspace. */
  readonly digest: string;
  readonly #reader: DeploymentReader;

  constructor(
    settings: ControlPlaneSettings,
    context: ControlPlaneContext,
    retryMs: number,
    reader = createReader(settings, context),
  ) {
    this.#reader = reader;
    this.#settings = settings;
    this.#context = context;
    const { url, apiKey, workspaceId, region, requestTimeoutMs, publicValues } = settings;
    const api = {
      url,
      headers: { "x-api-key": apiKey, "x-tenant-id": workspaceId },
      requestTimeoutMs,
      retryMs,
      publicValues,
      hintFor: createHintFor(controlPlaneHints, region),
    };
    this.api = new ApiClient(api, context);
    this.digest = controlPlaneDigest(settings);
  }

  /** Returns the same control plane for callers that poll or have little time. */
  withLimits({
    retryMs,
    maxRequestMs = Number.POSITIVE_INFINITY,
    cancelled = this.#context.cancelled,
  }: RequestLimits): ControlPlane {
    const requestTimeoutMs = Math.min(this.#settings.requestTimeoutMs, maxRequestMs);
    const settings = { ...this.#settings, requestTimeoutMs };
    return new ControlPlane(settings, { ...this.#context, cancelled }, retryMs, this.#reader);
  }

  /** Reads a deployment. @throws RequestError also if another one is shown, which must not be deleted in its place */
  async getDeployment(id: DeploymentId): Promise<Deployment> {
    const response = await this.api.send({ method: "GET", path: apiPath`/v2/deployments/${id}` });
    const deployment = this.#reader.read(parseBody(response, DeploymentSchema));
    if (!isSameId(deployment.id, id)) throw otherShownFailure(response, deployment.id);
    return deployment;
  }

  /** Returns the workspace's deployments whose names contain this part. */
  async listDeployments(namePart: string): Promise<readonly Deployment[]> {
    const listed = new Map<DeploymentId, Deployment>();
    // Pages may be smaller than requested. Platforms disagree on the meaning of the `offset` in a response.
    for (;;) {
      const offset = listed.size;
      const page = apiPath`/v2/deployments?name_contains=${namePart}&limit=${pageSize}&offset=${offset}`;
      const { resources } = await this.api.read(page, DeploymentListSchema);
      for (const wire of resources) listed.set(wire.id, this.#reader.read(wire));
      if (listed.size === offset) return [...listed.values()];
    }
  }

  createRequest(name: string, desired: DesiredDeployment): ApiRequest {
    const body = this.#settings.platform.createBody(name, desired);
    return { method: "POST", path: "/v2/deployments", body };
  }

  updateRequest(id: string, { method, body }: UpdateRequest): ApiRequest {
    return { method, path: apiPath`/v2/deployments/${id}` + (method === "POST" ? "/revisions" : ""), body };
  }

  async createDeployment(name: string, desired: DesiredDeployment): Promise<CreatedDeployment> {
    const { clock } = this.#context;
    const start = clock.now();
    const response = await this.api.send(this.createRequest(name, desired));
    // Any other success may show a deployment that existed before.
    if (response.status !== 201) throw unexpectedResponseFailure(response, phrase`a create must return 201`);
    const respondedAt = dateOf(response);
    const tookS = Math.ceil((clock.now() - start) / 1000);
    const sentAt = respondedAt === undefined ? undefined : respondedAt - tookS * 1000;
    const deployment = this.#reader.read(parseBody(response, DeploymentSchema));
    const { name: shownName = name } = deployment;
    if (shownName !== name) throw otherShownFailure(response, shownName);
    return { deployment, sentAt };
  }

  /** Sends one request of an update. If the control plane does not support a POST for a revision, a PATCH is sent instead. */
  async updateDeployment(id: DeploymentId, request: UpdateRequest): Promise<NamedRevision | undefined> {
    try {
      const response = await this.api.send(this.updateRequest(id, request));
      if (request.method === "PATCH") return this.#latestRevisionIn(response);
      return { id: parseBody(response, RevisionSchema).id, isCertain: true };
    } catch (error) {
      if (request.method === "PATCH" || !isUnsupported(error)) throw error;
      this.#context.report.info(text`${error.ending.message} Updating the deployment instead.`);
      return await this.updateDeployment(id, { ...request, method: "PATCH" });
    }
  }

  /**
   * Returns the newest revision of the deployment that the response to its change shows. The API describes no body for that
   * response, so any JSON is a success.
   */
  #latestRevisionIn(response: HttpResponse): NamedRevision | undefined {
    if (response.body.trim() === "") return undefined;
    const json = parseJson(response.body);
    if (json === undefined) throw unexpectedResponseFailure(response, phrase`the body is not JSON`);
    const parsed = v.safeParse(DeploymentSchema, json);
    const id = parsed.success ? this.#reader.read(parsed.output).latestRevisionId : undefined;
    return id && { id, isCertain: false };
  }

  /** Deploys an earlier revision again, as a new one. */
  async redeployRevision(
    deploymentId: DeploymentId,
    revisionId: RevisionId,
  ): Promise<NamedRevision | undefined> {
    const redeploy = apiPath`/v2/deployments/${deploymentId}/revisions/${revisionId}/redeploy`;
    return this.#latestRevisionIn(await this.api.send({ method: "POST", path: redeploy }));
  }

  /** Deletes a deployment, and its tracing project if the settings say so. */
  async deleteDeployment(id: DeploymentId, shouldRetry: ShouldRetry): Promise<void> {
    const query = this.#settings.deletesTraces ? "?delete_tracing_project=true" : "";
    const deployment = apiPath`/v2/deployments/${id}` + query;
    const response = await this.api.send({ method: "DELETE", path: deployment }, shouldRetry);
    // Any other success may come from something other than the API.
    if (response.status !== 204)
      throw unexpectedResponseFailure(response, phrase`a deletion must return 204`);
  }

  /** Returns one page of a deployment's revisions, newest first. */
  async listRevisions(deploymentId: DeploymentId): Promise<RevisionList> {
    const list = apiPath`/v2/deployments/${deploymentId}/revisions?limit=${pageSize}`;
    const response = await this.api.send({ method: "GET", path: list });
    const { resources: listed } = parseBody(response, RevisionListSchema);
    return { listed, readAt: dateOf(response) };
  }

  async getRevision(deploymentId: DeploymentId, revisionId: RevisionId): Promise<Revision> {
    const revision = apiPath`/v2/deployments/${deploymentId}/revisions/${revisionId}`;
    const response = await this.api.send({ method: "GET", path: revision });
    const shown = parseBody(response, RevisionSchema);
    if (!isSameId(shown.id, revisionId)) throw otherShownFailure(response, shown.id);
    return shown;
  }

  /** Returns the reader of a log; undefined if the platform has none. */
  openLog(log: RevisionLog): LogReader | undefined {
    return this.#settings.platform.openLog?.(
      this.withLimits({ retryMs: 0, maxRequestMs: maxLogRequestMs }).api,
      log,
    );
  }

  /** Stops a pending revision. Documents and clients of the platform use two names for this endpoint. */
  async interruptRevision(deploymentId: DeploymentId, revisionId: RevisionId): Promise<void> {
    const revision = apiPath`/v2/deployments/${deploymentId}/revisions/${revisionId}`;
    try {
      await this.api.send({ method: "POST", path: `${revision}/interrupt` });
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      await this.api.send({ method: "POST", path: `${revision}/interruption` });
    }
  }
}

function createReader(
  { publicValues = [] }: ControlPlaneSettings,
  { report }: ControlPlaneContext,
): DeploymentReader {
  return new DeploymentReader({ publicValues, redactInTexts: (values) => report.redactInTexts(values) });
}

function otherShownFailure(response: HttpResponse, shown: string): RequestError {
  const problem = phrase`it shows ${code(shown)} in place of what was requested`;
  return unexpectedResponseFailure(response, problem);
}

function dateOf({ headers }: HttpResponse): EpochMs | undefined {
  const date = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? undefined : date;
}
