/** Deployments with their revisions as they stand at a moment: what every operation of the control plane begins with. */

import { RefusedError } from "../errors.ts";
import { stepAt, type Timeline, timelineOf } from "../lifecycle.ts";
import type { Misbehaviour } from "../misbehave/misbehaviour.ts";
import type { LagPlace } from "../misbehave/rules.ts";
import type { EmulatedPlatform } from "../platform.ts";
import { inQueue } from "../queue.ts";
import type { Config, DeploymentRow, DeploymentStore, RevisionRow } from "./store.ts";
import { type DeploymentView, deploymentView, type RevisionView, revisionView } from "./views.ts";

/** What every operation of the control plane is made of. */
export interface RecordParts {
  readonly platform: EmulatedPlatform;
  readonly store: DeploymentStore;
  readonly misbehaviour: Misbehaviour;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly workspaceId: string;
  /** The emulator's own address, without a trailing slash. */
  readonly origin: () => string;
  readonly statusSeconds: number;
  /** Ref → the status in which its revisions end. */
  readonly failRefs: ReadonlyMap<string, string>;
  /** Ref → the commit it points at, where a test or a user says so. */
  readonly commits: ReadonlyMap<string, string>;
}

/** Reads and adds revisions, and shows rows as the platform would. */
export class DeploymentRecords {
  readonly #parts: RecordParts;

  constructor(parts: RecordParts) {
    this.#parts = parts;
  }

  /** Begins an operation. @returns the moment at which it happens, in milliseconds since the epoch */
  start(): number {
    const now = this.#parts.now();
    this.#parts.store.purge(now);
    return now;
  }

  /** @throws {RefusedError} 404 */
  find(id: string): DeploymentRow {
    const found = this.#parts.store.find(id);
    if (found === undefined) throw new RefusedError(404, `Deployment ${id} not found.`);
    return found;
  }

  /** @throws {RefusedError} 404, or 409 while the deployment is being deleted */
  findToChange(id: string): DeploymentRow {
    const found = this.find(id);
    if (found.gone_at !== null) throw new RefusedError(409, "The deployment is being deleted.");
    return found;
  }

  /** @throws {RefusedError} 404, also where a rule lets it show late */
  findShownRevision(deploymentId: string, revisionId: string, now: number): RevisionRow {
    const found = this.revisions(this.find(deploymentId).id).find((one) => one.id === revisionId);
    if (found === undefined || this.#parts.misbehaviour.lags("revision", found.id, now - found.created_at)) {
      throw new RefusedError(404, `Revision ${revisionId} not found.`);
    }
    return found;
  }

  /** All revisions of a deployment, the newest first, each with the life that the queue leaves it. */
  revisions(deploymentId: string): RevisionRow[] {
    const { store, platform } = this.#parts;
    const rows = store.revisions(deploymentId);
    return platform.queues ? inQueue(rows.toReversed()).toReversed() : rows;
  }

  /** Those revisions that a kind of read shows, where a rule lets them show late. */
  shownRevisions(deploymentId: string, now: number, place: LagPlace): RevisionRow[] {
    const { misbehaviour } = this.#parts;
    return this.revisions(deploymentId).filter(
      (one) => !misbehaviour.lags(place, one.id, now - one.created_at),
    );
  }

  /** A new revision of the deployment as it is. */
  addRevision(deployment: DeploymentRow, at: number): RevisionRow {
    const { store, platform, commits } = this.#parts;
    const { source, source_config, source_revision_config } = deployment;
    const config = platform.builtFrom({
      source,
      repository: source_config.repo_url,
      config: source_revision_config,
      commits,
    });
    return store.insertRevision({ deployment, config, at, timeline: this.timelineFor(config) });
  }

  /**
   * The life of a new revision of this source.
   * @param again where it is deployed again, whether it ran: then it is not built again and runs again
   */
  timelineFor(config: Config, again?: { readonly ran: boolean }): Timeline {
    const { misbehaviour, statusSeconds, failRefs, platform } = this.#parts;
    const ref = refIn(config);
    const life = misbehaviour.timelineFor(ref, again !== undefined);
    if (life !== undefined) return life;
    if (again?.ran) return timelineOf({ builds: false, statusSeconds, endsIn: undefined });
    const { status: endsIn, message } = platform.badEnd(config) ?? { status: failRefs.get(ref ?? "") };
    const builds = (config.image_uri ?? null) === null;
    return timelineOf({ builds, statusSeconds, endsIn, message });
  }

  /** `place`: the kind of read, where one shows new revisions late. */
  view(deployment: DeploymentRow, now: number, place?: LagPlace): DeploymentView {
    const { store, workspaceId, platform, misbehaviour, origin } = this.#parts;
    const revisions =
      place === undefined ? this.revisions(deployment.id) : this.shownRevisions(deployment.id, now, place);
    const secretNames = store.secretNames(deployment.id);
    const view = deploymentView(deployment, {
      workspaceId,
      secretNames,
      revisions,
      liveStatuses: misbehaviour.failedTakesOver() ? ["DEPLOYED", "DEPLOY_FAILED"] : ["DEPLOYED"],
      liveUrl: (one) => platform.liveUrl(one, origin()),
      now,
    });
    return platform.showDeployment(view, revisions[0]?.source_revision_config);
  }

  revisionView(revision: RevisionRow, now: number): RevisionView {
    const step = stepAt(revision.timeline, now - revision.created_at);
    return this.#parts.platform.showRevision(revisionView(revision, now), step);
  }
}

/** The ref of a source; null where it has none. */
export function refIn({ repo_ref }: Config): string | null {
  return typeof repo_ref === "string" ? repo_ref : null;
}
