import * as v from "valibot";
import type { Context } from "../context.ts";
import { retryableRead, retryableWrite, Transport } from "../http/api-client.ts";
import type { ReceivedResponse } from "../http/exchange.ts";
import { hintsInRegion } from "../http/hints.ts";
import { noRetry, type RetryPolicy } from "../http/retry.ts";
import { parseJson } from "../text/json.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { type Deployment, isBeingDeleted, type Revision, toDeployment, toRevision } from "./deployment.ts";
import { fromWire, toWire } from "./dialect.ts";
import { lacksEndpoint } from "./failures.ts";
import { controlPlaneHints } from "./hints.ts";
import {
  IntegratedRepositoryListSchema,
  type Integration,
  IntegrationListSchema,
} from "./integration-schemas.ts";
import type { Platform } from "./platforms.ts";
import { type LogPage, LogPageSchema, type LogQuery, toLogPage } from "./revision-log.ts";
import { routesBelow } from "./routes.ts";
import { isSameId } from "./same-id.ts";
import {
  type CreateRequest,
  DeploymentListSchema,
  DeploymentSchema,
  RevisionListSchema,
  RevisionSchema,
  type UpdateRequest,
} from "./schemas.ts";

export interface ControlPlaneSettings {
  readonly platform: Platform;
  readonly url: URL;
  /** The region that stood for `url`, undefined where that itself was given. */
  readonly region?: string | undefined;
  /** Headers that authenticate; see platform-api, Authentication. */
  readonly headers: Readonly<Record<string, string>>;
  /** Total for one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

const pageSize = 100;
/** More pages than any workspace has: a list that never ends is an error, not a reason to wait. */
const maxPages = 1000;

/**
 * The control plane's operations. Reads are repeated on connection errors, 408, 429 and 5xx; writes only where they
 * surely had no effect and the platform asks to come back (429), or could not be reached; deletes may be repeated.
 * Every method throws ConnectionError, ResponseError or UnexpectedAnswerError, or the cancellation's reason.
 */
export class ControlPlane {
  readonly #settings: ControlPlaneSettings;
  readonly #routes: ReturnType<typeof routesBelow>;
  readonly #context: Context;
  readonly #transport: Transport;

  constructor(settings: ControlPlaneSettings, context: Context, patience: RetryPolicy) {
    this.#settings = settings;
    this.#routes = routesBelow(settings.url);
    this.#context = context;
    const decode = (body: unknown) => fromWire(body, settings.platform);
    const hints = hintsInRegion(controlPlaneHints, settings.region);
    this.#transport = new Transport({ ...settings, hints, decode }, context, patience);
  }

  /** The same control plane for someone who asks again anyway: no request is repeated. */
  once(): ControlPlane {
    return new ControlPlane(this.#settings, this.#context, noRetry);
  }

  async getDeployment(id: string): Promise<Deployment> {
    const url = this.#routes.deployment(id);
    return this.#ofId(id, url, toDeployment(await this.#transport.read(url, DeploymentSchema)));
  }

  /** The first deployment of exactly this name; one that is on its way out only where there is no other. */
  async findDeployment(name: string): Promise<Deployment | undefined> {
    let goingAway: Deployment | undefined;
    for await (const deployment of this.#named(name)) {
      if (!isBeingDeleted(deployment)) return deployment;
      goingAway ??= deployment;
    }
    return goingAway;
  }

  /** All deployments of exactly this name: more than one where the platform takes a name twice. */
  async deploymentsNamed(name: string): Promise<Deployment[]> {
    const found: Deployment[] = [];
    for await (const deployment of this.#named(name)) found.push(deployment);
    return found;
  }

  /**
   * Looks until an empty page or one without a new id (contract, 3.1). The offset is counted here, because it isn't
   * known whether a platform answers with this page's or the next one's.
   */
  async *#named(name: string): AsyncGenerator<Deployment> {
    const seen = new Set<string>();
    for (let offset = 0, page = 0; page < maxPages; page++) {
      const url = this.#routes.deploymentsNamed(name, { limit: pageSize, offset });
      const { resources } = await this.#transport.read(url, DeploymentListSchema);
      const fresh = resources.filter(({ id }) => !seen.has(id));
      if (fresh.length === 0) return;
      for (const { id } of fresh) seen.add(id);
      for (const one of fresh) if (one.name === name) yield toDeployment(one);
      offset += resources.length;
    }
    const request = { method: "GET", url: this.#routes.deployments() } as const;
    throw this.#transport.unexpected({ request, status: 200 }, "its list of deployments never ended");
  }

  async createDeployment(body: CreateRequest): Promise<Deployment> {
    const answer = await this.#transport.send(
      "POST",
      this.#routes.deployments(),
      retryableWrite,
      toWire(body, this.#settings.platform),
    );
    const deployment = toDeployment(this.#transport.parse(answer, DeploymentSchema));
    const { name = body.name } = deployment;
    if (isSameId(name, body.name)) return deployment;
    throw this.#transport.unexpected(
      answer,
      `it shows a deployment named ${sanitizeExcerpt(name, 100)}, not ${body.name}`,
    );
  }

  /** The deployment, or undefined where the answer has no body: that is fine for an update (contract, 3.1). */
  async updateDeployment(id: string, body: UpdateRequest): Promise<Deployment | undefined> {
    const answer = await this.#transport.send(
      "PATCH",
      this.#routes.deployment(id),
      retryableWrite,
      toWire(body, this.#settings.platform),
    );
    return this.#shownBy(answer, id);
  }

  #shownBy(answer: ReceivedResponse, id: string): Deployment | undefined {
    if (answer.text.trim() === "") return undefined;
    const parsed = v.safeParse(DeploymentSchema, parseJson(answer.text));
    if (parsed.success && isSameId(parsed.output.id, id)) return toDeployment(parsed.output);
    // Another object is no reason to doubt a 200; the revision is looked for in the list.
    if (parseJson(answer.text) !== undefined) return undefined;
    throw this.#transport.unexpected(answer, "the body is not JSON");
  }

  /** Repeated like a read: to delete twice is to delete once. */
  async deleteDeployment(id: string): Promise<void> {
    const answer = await this.#transport.send("DELETE", this.#routes.deployment(id), retryableRead);
    // Another success may be the page of something else than the API (platform-api, Errors 2).
    if (answer.status !== 204) throw this.#transport.unexpected(answer, "a deletion is answered with 204");
  }

  /** Beyond platform-api; ask only a platform that offers it. */
  async listIntegrations(): Promise<Integration[]> {
    return await this.#transport.read(this.#routes.integrations(), IntegrationListSchema);
  }

  /** The addresses of the repositories that an integration covers. */
  async listIntegratedRepositories(integrationId: string): Promise<string[]> {
    const url = this.#routes.integratedRepositories(integrationId);
    return (await this.#transport.read(url, IntegratedRepositoryListSchema)).map(
      (repository) => repository.url,
    );
  }

  async listRevisions(deploymentId: string): Promise<Revision[]> {
    const { resources } = await this.#transport.read(
      this.#routes.revisions(deploymentId),
      RevisionListSchema,
    );
    return resources.map(toRevision);
  }

  async getRevision(deploymentId: string, revisionId: string): Promise<Revision> {
    const url = this.#routes.revision(deploymentId, revisionId);
    return this.#ofId(revisionId, url, toRevision(await this.#transport.read(url, RevisionSchema)));
  }

  /** What shows another id is the answer to another question: what it says must not pass for what was asked for. */
  #ofId<T extends { readonly id: string }>(id: string, url: URL, shown: T): T {
    if (isSameId(shown.id, id)) return { ...shown, id };
    const what = `it shows ${sanitizeExcerpt(shown.id, 100)} in place of what was asked for`;
    throw this.#transport.unexpected({ request: { method: "GET", url }, status: 200 }, what);
  }

  /** Deploys an earlier revision again, as a new one; answers like an update. Beyond platform-api. */
  async redeployRevision(deploymentId: string, revisionId: string): Promise<Deployment | undefined> {
    const url = this.#routes.revision(deploymentId, revisionId, "redeploy");
    return this.#shownBy(await this.#transport.send("POST", url, retryableWrite), deploymentId);
  }

  /** Stops a revision that is under way. Beyond platform-api, and named in two ways (platform-field-notes). */
  async interruptRevision(deploymentId: string, revisionId: string): Promise<void> {
    const interrupt = (name: string) =>
      this.#transport.send("POST", this.#routes.revision(deploymentId, revisionId, name), retryableWrite);
    try {
      await interrupt("interrupt");
    } catch (error) {
      if (!lacksEndpoint(error)) throw error;
      await interrupt("interruption");
    }
  }

  /** One page of a revision's log. Beyond platform-api; ask only a platform that offers it. */
  async readRevisionLog(deploymentId: string, revisionId: string, query: LogQuery): Promise<LogPage> {
    const { type, order, limit, offset } = query;
    const url = this.#routes.revisionLog(deploymentId, revisionId, {
      type,
      limit: String(limit),
      ...(order !== undefined && { order }),
      ...(offset !== undefined && { offset }),
    });
    return toLogPage(await this.#transport.read(url, LogPageSchema));
  }
}
