import * as v from "valibot";
import { ApiClient } from "../http/api-client.ts";
import type { HttpResponse } from "../http/request.ts";
import {
  type RequestContext,
  type RetryPolicy,
  retryIdempotent,
  retryIfNotSent,
  type ShouldRetry,
  serverTime,
} from "../http/retry.ts";
import { parseJson } from "../text/json.ts";
import { code, type Message, text } from "../text/message.ts";
import {
  type Deployment,
  isSameId,
  objectionToCreated,
  type Revision,
  toDeployment,
  toRevision,
} from "./deployment.ts";
import { fromWire, toWire } from "./dialect.ts";
import { isUnsupported } from "./error-kinds.ts";
import { controlPlaneHints, hintsFor } from "./hints.ts";
import { LogReader } from "./log-reader.ts";
import {
  allPagesOf,
  type ListStart,
  type PagedList,
  type Pages,
  pageSize,
  pagesOf,
  readUntil,
} from "./pages.ts";
import { type ControlPlaneSettings, controlPlaneDigest, type Platform } from "./platforms.ts";
import { routesBelow } from "./routes.ts";
import {
  type CreateRequest,
  DeploymentListSchema,
  DeploymentSchema,
  IntegratedRepositoryListSchema,
  type Integration,
  IntegrationListSchema,
  RevisionListSchema,
  RevisionSchema,
  type UpdateRequest,
} from "./schemas.ts";
import { type UploadAddress, UploadAddressSchema, uploadAddressRequest } from "./upload-address.ts";

/** The newest revisions of a deployment, newest first. */
export type RevisionList = ListStart<Revision>;

export interface CreatedDeployment {
  readonly deployment: Deployment;
  /** By the platform's clock, in milliseconds since the epoch; NaN if it does not show the time. */
  readonly respondedAt: number;
}

/**
 * The operations of the control plane. Reads and deletions are retried on connection errors, 408, 429 and 5xx, other
 * writes only if they surely had no effect. Not every platform has all of them: see `Platform`. Every method throws
 * ConnectionError or ResponseError, Failure for an id that is not a valid path segment, or the reason of a cancellation.
 */
export class ControlPlane {
  readonly #settings: ControlPlaneSettings;
  readonly #routes: ReturnType<typeof routesBelow>;
  readonly #context: RequestContext;
  readonly #policy: RetryPolicy;
  readonly #api: ApiClient;
  readonly platform: Platform;
  /** Identifies the control plane and workspace, without a key. */
  readonly digest: string;
  readonly logs: LogReader;

  constructor(settings: ControlPlaneSettings, context: RequestContext, policy: RetryPolicy) {
    this.#settings = settings;
    this.#routes = routesBelow(settings.url);
    this.#context = context;
    this.#policy = policy;
    const { platform, apiKey, workspaceId, region, requestTimeoutMs } = settings;
    const api = {
      headers: { "x-api-key": apiKey, "x-tenant-id": workspaceId },
      requestTimeoutMs,
      hintFor: hintsFor(controlPlaneHints, region),
      encode: (body: unknown) => toWire(body, platform),
      decode: (body: unknown) => fromWire(body, platform),
    };
    this.#api = new ApiClient(api, context, policy);
    this.platform = platform;
    this.digest = controlPlaneDigest(settings);
    this.logs = new LogReader(this.#api, this.#routes);
  }

  /** The same control plane for callers that poll: no request is retried. */
  withoutRetry(): ControlPlane {
    return new ControlPlane(this.#settings, this.#context, { ...this.#policy, maxAttempts: 1 });
  }

  async getDeployment(id: string): Promise<Deployment> {
    const url = this.#routes.deployment(id);
    return this.#requireId(id, url, toDeployment(await this.#api.read(url, DeploymentSchema)));
  }

  /**
   * The deployments of the workspace. `name`: a part of their names, by default of all.
   *
   * @throws ResponseError if the list is not complete: that a deployment is not in it would prove nothing.
   */
  deploymentPages(name?: string): AsyncGenerator<Deployment[], undefined> {
    const list = this.#list(
      (offset) => this.#routes.deploymentPage(pageSize, offset, name),
      async (url) => (await this.#api.read(url, DeploymentListSchema)).resources.map(toDeployment),
    );
    return allPagesOf(list);
  }

  /** A list that starts at the deadline gets the time of one request. */
  #list<T>(pageAt: PagedList<T>["pageAt"], read: PagedList<T>["read"]): PagedList<T> {
    const { clock } = this.#context;
    const deadline = Math.max(this.#policy.deadline, clock.now() + this.#settings.requestTimeoutMs);
    return { pageAt, read, clock, deadline, unexpected: (url, what) => this.#unexpectedRead(url, what) };
  }

  /** `listedIds`: the ids of deployments that existed before, of which the new one has none. */
  async createDeployment(body: CreateRequest, listedIds: readonly string[]): Promise<CreatedDeployment> {
    const response = await this.#api.send("POST", this.#routes.deployments(), retryIfNotSent, body);
    const deployment = toDeployment(this.#api.parse(response, DeploymentSchema));
    const objection = objectionToCreated(deployment, body, listedIds);
    if (objection !== undefined) throw this.#api.unexpected(response, objection);
    return { deployment, respondedAt: serverTime(response.headers, Number.NaN) };
  }

  /**
   * Returns the deployment as the response shows it; undefined if that shows something else, which is fine for an update.
   * `objectionTo`: why this deployment shows that the update was not made, as a part of a sentence.
   */
  async updateDeployment(
    id: string,
    body: UpdateRequest,
    objectionTo?: (deployment: Deployment) => Message | undefined,
  ): Promise<Deployment | undefined> {
    const response = await this.#api.send("PATCH", this.#routes.deployment(id), retryIfNotSent, body);
    const deployment = this.#shownDeployment(response, id);
    const objection = deployment && objectionTo?.(deployment);
    if (objection !== undefined) throw this.#api.unexpected(response, objection);
    return deployment;
  }

  /** Makes a revision in any case. Undefined if the response shows the deployment instead. */
  async createRevision(id: string, body: UpdateRequest): Promise<Revision | undefined> {
    const response = await this.#api.send("POST", this.#routes.newRevision(id), retryIfNotSent, body);
    const revision = toRevision(this.#api.parse(response, RevisionSchema));
    return isSameId(revision.id, id) ? undefined : revision;
  }

  /** An address to send one archive to. To ask again changes nothing, so it is retried. */
  async createUploadAddress(id: string): Promise<UploadAddress> {
    const url = this.#routes.uploadAddress(id);
    const response = await this.#api.send("POST", url, retryIdempotent, uploadAddressRequest);
    return this.#api.parse(response, UploadAddressSchema);
  }

  #shownDeployment(response: HttpResponse, id: string): Deployment | undefined {
    if (response.text.trim() === "") return undefined;
    const body = parseJson(response.text);
    if (body === undefined) throw this.#api.unexpected(response, text`the body is not JSON`);
    const parsed = v.safeParse(DeploymentSchema, body);
    // Another object is no reason to doubt a 200: the list of revisions shows what the update did.
    return parsed.success && isSameId(parsed.output.id, id) ? toDeployment(parsed.output) : undefined;
  }

  /** `deleteTracingProject`: whether the project that holds its traces is deleted too. */
  async deleteDeployment(
    id: string,
    deleteTracingProject = false,
    shouldRetry: ShouldRetry = retryIdempotent,
  ): Promise<void> {
    const url = this.#routes.deletion(id, deleteTracingProject);
    const response = await this.#api.send("DELETE", url, shouldRetry);
    // Another success may be the page of something other than the API.
    if (response.status !== 204) throw this.#api.unexpected(response, text`a deletion must return 204`);
  }

  async listIntegrations(): Promise<Integration[]> {
    return await this.#api.read(this.#routes.integrations(), IntegrationListSchema);
  }

  async listIntegratedRepositories(integrationId: string): Promise<string[]> {
    const url = this.#routes.integratedRepositories(integrationId);
    const repositories = await this.#api.read(url, IntegratedRepositoryListSchema);
    return repositories.map((repository) => repository.url);
  }

  /** The newest revisions of a deployment, newest first: the first page. */
  async listRevisions(deploymentId: string): Promise<Revision[]> {
    const first = await this.#revisionPages(deploymentId).next();
    return first.done === true ? [] : first.value;
  }

  /** Like `listRevisions`, and reads further pages until the list ends or what was read is enough. */
  async listRevisionsUntil(
    deploymentId: string,
    isEnough: (listed: readonly Revision[]) => boolean,
  ): Promise<RevisionList> {
    return await readUntil(this.#revisionPages(deploymentId), isEnough);
  }

  #revisionPages(deploymentId: string): Pages<Revision> {
    const list = this.#list(
      (offset) => this.#routes.revisions(deploymentId, pageSize, offset),
      async (url) => (await this.#api.read(url, RevisionListSchema)).resources.map(toRevision),
    );
    return pagesOf(list);
  }

  async getRevision(deploymentId: string, revisionId: string): Promise<Revision> {
    const url = this.#routes.revision(deploymentId, revisionId);
    return this.#requireId(revisionId, url, toRevision(await this.#api.read(url, RevisionSchema)));
  }

  /** A response that shows another id answers another question: a proxy's cache, for example. */
  #requireId<T extends { readonly id: string }>(id: string, url: URL, received: T): T {
    if (isSameId(received.id, id)) return { ...received, id };
    throw this.#unexpectedRead(url, text`it shows ${code(received.id)} instead of the requested ID`);
  }

  #unexpectedRead(url: URL, what: Message): Error {
    return this.#api.unexpected({ request: this.#api.request("GET", url), status: 200 }, what);
  }

  /** Deploys an earlier revision again, as a new one; returns what an update returns. */
  async redeployRevision(deploymentId: string, revisionId: string): Promise<Deployment | undefined> {
    const url = this.#routes.revision(deploymentId, revisionId, "redeploy");
    return this.#shownDeployment(await this.#api.send("POST", url, retryIfNotSent), deploymentId);
  }

  /** Stops a pending revision. Descriptions of the platform and its clients use different names for this endpoint. */
  async interruptRevision(deploymentId: string, revisionId: string): Promise<void> {
    const interrupt = (name: string) =>
      this.#api.send("POST", this.#routes.revision(deploymentId, revisionId, name), retryIfNotSent);
    try {
      await interrupt("interrupt");
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      await interrupt("interruption");
    }
  }
}
