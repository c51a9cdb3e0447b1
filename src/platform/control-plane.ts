import * as v from "valibot";
import { ApiClient } from "../http/api-client.ts";
import type { HttpResponse } from "../http/response.ts";
import {
  type RequestContext,
  type RetryPolicy,
  retryIdempotent,
  retryIfNotSent,
  type ShouldRetry,
  singleAttempt,
} from "../http/retry.ts";
import { parseJson } from "../text/json.ts";
import { text } from "../text/message.ts";
import { type Deployment, type Revision, toDeployment, toRevision } from "./deployment.ts";
import { isUnsupported } from "./error-kinds.ts";
import { controlPlaneHints, hintsFor } from "./hints.ts";
import type { DividedUpdate, Platform } from "./platform.ts";
import { type ControlPlaneSettings, controlPlaneDigest } from "./platforms.ts";
import { type PlatformApi, routesBelow } from "./routes.ts";
import {
  type CreateRequest,
  DeploymentListSchema,
  DeploymentSchema,
  RevisionListSchema,
  RevisionSchema,
  type UpdateRequest,
} from "./schemas.ts";

/** What the response to a request shows of the revision that the request made. */
export interface MadeRevision {
  readonly deployment?: Deployment | undefined;
  readonly revision?: Revision | undefined;
}

/** As many as a platform sends at once. */
const pageSize = 100;

/**
 * The operations of the control plane. Reads and deletions are retried on connection errors, 408, 429 and 5xx, other
 * writes only if they surely had no effect. Every method throws RequestError, or the reason of a
 * cancellation.
 */
export class ControlPlane {
  readonly #settings: ControlPlaneSettings;
  readonly #context: RequestContext;
  readonly #api: PlatformApi;
  readonly platform: Platform;
  /** Identifies the control plane and workspace, without a key. */
  readonly digest: string;

  constructor(settings: ControlPlaneSettings, context: RequestContext, policy: RetryPolicy) {
    this.#settings = settings;
    this.#context = context;
    const { platform, url, apiKey, workspaceId, region, requestTimeoutMs } = settings;
    const api = {
      headers: { "x-api-key": apiKey, "x-tenant-id": workspaceId },
      requestTimeoutMs,
      hintFor: hintsFor(controlPlaneHints, region),
    };
    this.#api = { client: new ApiClient(api, context, policy), routes: routesBelow(url) };
    this.platform = platform;
    this.digest = controlPlaneDigest(settings);
  }

  /** When it sent its last response, by its own clock, in milliseconds since the epoch; NaN if that is not known. */
  get respondedAt(): number {
    return this.#api.client.respondedAt;
  }

  /** The same control plane for callers that poll: no request is retried. */
  withoutRetry(): ControlPlane {
    return new ControlPlane(this.#settings, this.#context, singleAttempt);
  }

  async getDeployment(id: string): Promise<Deployment> {
    const { client, routes } = this.#api;
    return toDeployment(await client.read(routes.deployment(id), DeploymentSchema));
  }

  /** The pages of the workspace's deployments. `name`: a part of their names, by default of all. */
  async *deploymentPages(name?: string): AsyncGenerator<Deployment[], undefined> {
    const { client, routes } = this.#api;
    let offset = 0;
    for (;;) {
      const url = routes.deploymentPage(pageSize, offset, name);
      const { resources } = await client.read(url, DeploymentListSchema);
      yield resources.map(toDeployment);
      if (resources.length < pageSize) return undefined;
      // Counted here, because platforms disagree on which page the `offset` in a response means.
      offset += resources.length;
    }
  }

  async createDeployment(body: CreateRequest): Promise<Deployment> {
    const { client, routes } = this.#api;
    const sent = this.platform.encode(body);
    const response = await client.send("POST", routes.deployments(), retryIfNotSent, sent);
    // Any other success may show a deployment that was there before.
    if (response.status !== 201) throw client.unexpected(response, text`a create must return 201`);
    return toDeployment(client.parse(response, DeploymentSchema));
  }

  /** Returns the deployment as the response shows it; undefined if that shows something else. */
  async updateDeployment(id: string, body: UpdateRequest): Promise<Deployment | undefined> {
    const { client, routes } = this.#api;
    const sent = this.platform.encode(body);
    return this.#shownDeployment(await client.send("PATCH", routes.deployment(id), retryIfNotSent, sent));
  }

  /** Sends the part of an update that makes a revision: as a PATCH too if the control plane lacks the other request. */
  async makeRevision(
    id: string,
    { revision: update, isPosted }: Pick<DividedUpdate, "revision" | "isPosted">,
  ): Promise<MadeRevision> {
    const { createRevision } = this.platform;
    if (isPosted && createRevision !== undefined) {
      try {
        return { revision: await createRevision(this.#api, id, this.platform.encode(update)) };
      } catch (error) {
        if (!isUnsupported(error)) throw error;
        this.#context.report.info(text`${error.ending.message} Updating the deployment instead.`);
      }
    }
    return { deployment: await this.updateDeployment(id, update) };
  }

  /** Deploys an earlier revision again, as a new one. */
  async redeployRevision(deploymentId: string, revisionId: string): Promise<MadeRevision> {
    const { client, routes } = this.#api;
    const url = routes.revision(deploymentId, revisionId, "redeploy");
    return { deployment: this.#shownDeployment(await client.send("POST", url, retryIfNotSent)) };
  }

  /** The described response to an update is its status alone, so every JSON is taken for a success. */
  #shownDeployment(response: HttpResponse): Deployment | undefined {
    if (response.text.trim() === "") return undefined;
    const body = parseJson(response.text);
    if (body === undefined) throw this.#api.client.unexpected(response, text`the body is not JSON`);
    const parsed = v.safeParse(DeploymentSchema, body);
    return parsed.success ? toDeployment(parsed.output) : undefined;
  }

  /** `deletesTraces`: whether the project that holds its traces is deleted too. */
  async deleteDeployment(
    id: string,
    deletesTraces = false,
    shouldRetry: ShouldRetry = retryIdempotent,
  ): Promise<void> {
    const { client, routes } = this.#api;
    const url = routes.deployment(id);
    if (deletesTraces) url.search = new URLSearchParams(this.platform.deleteTracesQuery).toString();
    const response = await client.send("DELETE", url, shouldRetry);
    // Another success may be the page of something other than the API.
    if (response.status !== 204) throw client.unexpected(response, text`a deletion must return 204`);
  }

  /** The newest revisions of a deployment, newest first, at most a page of them. */
  async listRevisions(deploymentId: string): Promise<readonly Revision[]> {
    const { client, routes } = this.#api;
    const { resources } = await client.read(routes.revisions(deploymentId, pageSize), RevisionListSchema);
    return resources.map(toRevision);
  }

  async getRevision(deploymentId: string, revisionId: string): Promise<Revision> {
    const { client, routes } = this.#api;
    return toRevision(await client.read(routes.revision(deploymentId, revisionId), RevisionSchema));
  }

  /** Stops a pending revision. Descriptions of the platform and its clients use different names for this endpoint. */
  async interruptRevision(deploymentId: string, revisionId: string): Promise<void> {
    const { client, routes } = this.#api;
    const interrupt = (name: string) =>
      client.send("POST", routes.revision(deploymentId, revisionId, name), retryIfNotSent);
    try {
      await interrupt("interrupt");
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      await interrupt("interruption");
    }
  }

  get createUploadAddress() {
    return this.#bound(this.platform.createUploadAddress);
  }

  get listIntegrations() {
    return this.#bound(this.platform.listIntegrations);
  }

  get listIntegratedRepositories() {
    return this.#bound(this.platform.listIntegratedRepositories);
  }

  get openLog() {
    return this.#bound(this.platform.openLog);
  }

  #bound<Args extends unknown[], Result>(
    method: ((api: PlatformApi, ...args: Args) => Result) | undefined,
  ): ((...args: Args) => Result) | undefined {
    return method && ((...args) => method(this.#api, ...args));
  }
}
