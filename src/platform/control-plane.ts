import * as v from "valibot";
import type { EpochMs } from "../clock.ts";
import { ApiClient } from "../http/api-client.ts";
import { isUnsupported, type RequestError } from "../http/request-error.ts";
import { type HttpResponse, parseBody, unexpectedResponseFailure } from "../http/response.ts";
import type { RequestContext, ShouldRetry } from "../http/retry.ts";
import { parseJson } from "../text/json.ts";
import { code, count, inputName, phrase, text } from "../text/message.ts";
import { linesOf } from "../text/strings.ts";
import { type ControlPlaneSettings, controlPlaneDigest } from "./control-plane-settings.ts";
import { type Deployment, type Revision, toDeployment, toRevision } from "./deployment.ts";
import type { DesiredDeployment } from "./desired-deployment.ts";
import { controlPlaneHints, createHintFor } from "./hints.ts";
import { type DeploymentId, isSameId, type RevisionId } from "./ids.ts";
import type { UpdateRequest } from "./platform.ts";
import type { LogReader, RevisionLog } from "./revision-log.ts";
import { DeploymentListSchema, DeploymentSchema, RevisionListSchema, RevisionSchema } from "./schemas.ts";

/** What the response to a write shows. */
export interface WriteResponse {
  /** The revision that it names; undefined if it names none. */
  readonly named: NamedRevision | undefined;
  readonly deployment?: Deployment | undefined;
}

interface NamedRevision {
  readonly id: RevisionId;
  /** False if another request may have made it: it is the newest one of a deployment. */
  readonly isCertain: boolean;
}

export interface RevisionList {
  /** Newest first. */
  readonly listed: readonly Revision[];
  /**
   * When they were read, by the platform's own clock in whole seconds; undefined if it reports none. A revision with an earlier
   * `created_at` was there before.
   */
  readonly readAt: EpochMs | undefined;
}

interface ControlPlaneContext extends RequestContext {
  readonly report: RequestContext["report"] & { addSecretsForPeople(values: readonly string[]): void };
}

/** The largest page that platforms send. */
const pageSize = 100;
/** No known platform sends pages of fewer, unless it has no more. */
const minPageSize = 10;
/** A log is not worth a longer wait for a request. */
const maxLogRequestMs = 5000;
/** The maximum number of listed deployments. No workspace has more, so a longer list seems to have no end. */
const maxDeployments = 10_000;

/**
 * The requests to a control plane. It may lack an endpoint, and refuses it then. What only one platform has is in its adapter.
 * Reads and deletions are retried on
 * connection errors, 408, 429 and 5xx. Other writes are retried only if they surely had no effect. Every request throws
 * RequestError.
 */
export class ControlPlane {
  readonly #settings: ControlPlaneSettings;
  readonly #context: ControlPlaneContext;
  readonly api: ApiClient;
  /** Identifies the control plane and workspace. */
  readonly digest: string;
  /** The ids, in lower case, of the deployments that have shown their live revision. */
  readonly #haveShownLive: Set<string>;

  constructor(
    settings: ControlPlaneSettings,
    context: ControlPlaneContext,
    retryMs: number,
    haveShownLive: Set<string> = new Set(),
  ) {
    this.#haveShownLive = haveShownLive;
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

  /**
   * Returns the same control plane for callers that poll or have little time. By default, it does not retry. `maxRequestMs`
   * limits the time of each request. `cancelled` replaces the run's signal.
   */
  limited({
    retryMs = 0,
    maxRequestMs = Number.POSITIVE_INFINITY,
    cancelled = this.#context.cancelled,
  } = {}): ControlPlane {
    const requestTimeoutMs = Math.min(this.#settings.requestTimeoutMs, maxRequestMs);
    return new ControlPlane(
      { ...this.#settings, requestTimeoutMs },
      { ...this.#context, cancelled },
      retryMs,
      this.#haveShownLive,
    );
  }

  /** Reads a deployment. @throws RequestError also for a response that shows another deployment */
  async getDeployment(id: DeploymentId): Promise<Deployment> {
    const { api } = this;
    const response = await api.send("GET", api.endpoint`/v2/deployments/${id}`);
    const deployment = this.#readDeployment(parseBody(response, DeploymentSchema));
    if (!isSameId(deployment.id, id)) throw otherShownFailure(response, deployment.id);
    const key = id.toLowerCase();
    if (deployment.hasShownLive) this.#haveShownLive.add(key);
    return { ...deployment, hasShownLive: this.#haveShownLive.has(key) };
  }

  /** Returns the deployment of a response. From now on, the values of secrets in the response are redacted. */
  #readDeployment(wire: v.InferOutput<typeof DeploymentSchema>): Deployment {
    // A value that another field shows too, such as the deployment's URL, is not secret.
    const otherFields = JSON.stringify({ ...wire, secrets: [] });
    const lines = linesOf((wire.secrets ?? []).map(({ value = "" }) => value));
    const plainLines = new Set(linesOf(this.#settings.publicValues ?? []));
    const isSecret = (line: string) => !plainLines.has(line) && !otherFields.includes(line);
    this.#context.report.addSecretsForPeople(lines.filter(isSecret));
    return toDeployment(wire);
  }

  /** Yields the workspace's deployments whose names contain this one, page by page. */
  async *deploymentPages(name: string): AsyncGenerator<Deployment[], undefined> {
    const { api } = this;
    const ids = new Set<string>();
    let offset = 0;
    for (;;) {
      const page = api.endpoint`/v2/deployments?name_contains=${name}&limit=${pageSize}&offset=${offset}`;
      const response = await api.send("GET", page);
      const { resources } = parseBody(response, DeploymentListSchema);
      // A platform may send smaller pages than it was asked for. The `offset` in a response is not used, because platforms
      // disagree on its meaning.
      const isRepeated = resources.every(({ id }) => ids.has(id));
      // A platform that ignores the offset repeats its page.
      if (isRepeated && resources.length < minPageSize) return undefined;
      if (isRepeated || offset >= maxDeployments) {
        throw unexpectedResponseFailure(
          response,
          phrase`the list does not end after ${count(offset)} deployments`,
          text`Set ${inputName("deployment_id")} in place of ${inputName("name")}, and tell those who run the platform.`,
        );
      }
      for (const { id } of resources) ids.add(id);
      yield resources.map(toDeployment);
      offset += resources.length;
    }
  }

  createRequest(name: string, desired: DesiredDeployment) {
    const body = this.#settings.platform.createBody(name, desired);
    return { method: "POST", url: this.api.endpoint`/v2/deployments`, body } as const;
  }

  updateRequest(id: string, { method, body }: UpdateRequest) {
    const { api } = this;
    const url =
      method === "PATCH"
        ? api.endpoint`/v2/deployments/${id}`
        : api.endpoint`/v2/deployments/${id}/revisions`;
    return { method, url, body };
  }

  async createDeployment(name: string, desired: DesiredDeployment): Promise<Deployment> {
    const { method, url, body } = this.createRequest(name, desired);
    const response = await this.api.send(method, url, body);
    // Any other success may show a deployment that existed before.
    if (response.status !== 201) throw unexpectedResponseFailure(response, phrase`a create must return 201`);
    const deployment = this.#readDeployment(parseBody(response, DeploymentSchema));
    if (deployment.name === undefined || deployment.name === name) return deployment;
    throw otherShownFailure(response, deployment.name);
  }

  /** Sends one request of an update. If the control plane does not support a POST for a revision, a PATCH is sent instead. */
  async updateDeployment(id: DeploymentId, request: UpdateRequest): Promise<WriteResponse> {
    if (request.method === "POST") {
      try {
        const response = await this.#sendUpdate(id, request);
        return { named: { id: parseBody(response, RevisionSchema).id, isCertain: true } };
      } catch (error) {
        if (!isUnsupported(error)) throw error;
        this.#context.report.info(text`${error.ending.message} Updating the deployment instead.`);
      }
    }
    const response = await this.#sendUpdate(id, { ...request, method: "PATCH" });
    return this.#newestOf(id, response);
  }

  #newestOf(deploymentId: DeploymentId, response: HttpResponse): WriteResponse {
    const deployment = this.#shownDeployment(deploymentId, response);
    const id = deployment?.latestRevisionId;
    return { named: id && { id, isCertain: false }, deployment };
  }

  async #sendUpdate(id: DeploymentId, request: UpdateRequest): Promise<HttpResponse> {
    const { method, url, body } = this.updateRequest(id, request);
    return await this.api.send(method, url, body);
  }

  /** Deploys an earlier revision again, as a new one. */
  async redeployRevision(deploymentId: DeploymentId, revisionId: RevisionId): Promise<WriteResponse> {
    const { api } = this;
    const url = api.endpoint`/v2/deployments/${deploymentId}/revisions/${revisionId}/redeploy`;
    const response = await api.send("POST", url);
    return this.#newestOf(deploymentId, response);
  }

  /**
   * Returns the deployment if the response to its change shows it. The API describes no body for that response, so any JSON is
   * a success.
   */
  #shownDeployment(id: DeploymentId, response: HttpResponse): Deployment | undefined {
    if (response.body.trim() === "") return undefined;
    const json = parseJson(response.body);
    if (json === undefined) throw unexpectedResponseFailure(response, phrase`the body is not JSON`);
    const parsed = v.safeParse(DeploymentSchema, json);
    return parsed.success && isSameId(parsed.output.id, id) ? this.#readDeployment(parsed.output) : undefined;
  }

  /** Deletes a deployment. `deletesTraces`: whether its tracing project is deleted too. */
  async deleteDeployment(id: DeploymentId, deletesTraces: boolean, shouldRetry: ShouldRetry): Promise<void> {
    const { api } = this;
    const url = api.endpoint`/v2/deployments/${id}`;
    if (deletesTraces) url.search = this.#settings.platform.deleteTracesQuery ?? "";
    const response = await api.send("DELETE", url, undefined, shouldRetry);
    // Any other success may come from something other than the API.
    if (response.status !== 204)
      throw unexpectedResponseFailure(response, phrase`a deletion must return 204`);
  }

  /** Returns one page of a deployment's revisions. */
  async listRevisions(deploymentId: DeploymentId): Promise<RevisionList> {
    const { api } = this;
    const url = api.endpoint`/v2/deployments/${deploymentId}/revisions?limit=${pageSize}`;
    const response = await api.send("GET", url);
    const { resources } = parseBody(response, RevisionListSchema);
    const readAt = Date.parse(response.headers.date ?? "");
    return { listed: resources.map(toRevision), readAt: Number.isNaN(readAt) ? undefined : readAt };
  }

  async getRevision(deploymentId: DeploymentId, revisionId: RevisionId): Promise<Revision> {
    const { api } = this;
    const url = api.endpoint`/v2/deployments/${deploymentId}/revisions/${revisionId}`;
    const response = await api.send("GET", url);
    const revision = toRevision(parseBody(response, RevisionSchema));
    if (!isSameId(revision.id, revisionId)) throw otherShownFailure(response, revision.id);
    return revision;
  }

  /** Returns the reader of a log; undefined if the platform has none. */
  openLog(log: RevisionLog): LogReader | undefined {
    return this.#settings.platform.openLog?.(this.limited({ maxRequestMs: maxLogRequestMs }).api, log);
  }

  /** Stops a pending revision. Documents and clients of the platform use two names for this endpoint. */
  async interruptRevision(deploymentId: DeploymentId, revisionId: RevisionId): Promise<void> {
    const { api } = this;
    const interrupt = (name: string) =>
      api.send("POST", api.endpoint`/v2/deployments/${deploymentId}/revisions/${revisionId}/${name}`);
    try {
      await interrupt("interrupt");
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      await interrupt("interruption");
    }
  }
}

function otherShownFailure(response: HttpResponse, nameOrId: string): RequestError {
  return unexpectedResponseFailure(
    response,
    phrase`it shows ${code(nameOrId)} in place of what was requested`,
    text`Tell those who run the platform.`,
  );
}
