/** Simulates revisions: nothing is built or started, and every status comes at a time that is planned in advance. */
import { createHash } from "node:crypto";
import type { Dialect } from "../dialects/dialect.ts";
import type { ActiveFaults } from "../faults/active-faults.ts";
import { type DeploymentRow, type RevisionRow, refOf } from "../store/deployments.ts";
import { planTimeline, type Timeline } from "../timeline.ts";
import type { Redeployed, RevisionExecutor, RevisionFacts, Source } from "./revision-executor.ts";

export interface SimulatedExecutorOptions {
  readonly dialect: Dialect;
  readonly faults: ActiveFaults;
  readonly statusSeconds: number;
  /** Ref → the status in which its revisions end. */
  readonly failRefs: ReadonlyMap<string, string>;
  /** Ref → the commit that it points at, for the refs that have one set. */
  readonly commits: ReadonlyMap<string, string>;
  /** The emulator's own address, without a trailing slash. */
  readonly origin: () => string;
}

export class SimulatedExecutor implements RevisionExecutor {
  readonly #options: SimulatedExecutorOptions;

  constructor(options: SimulatedExecutorOptions) {
    this.#options = options;
  }

  /** The commit that was set for the ref, else a hash that is always the same for a ref of a repository. */
  commitOf({ source, repository, config }: Source): string | null {
    const { dialect, commits } = this.#options;
    const ref = refOf(config);
    if (source !== "github" || ref === null || dialect.failureOf(config) !== undefined) return null;
    return commits.get(ref) ?? createHash("sha1").update(`${repository} ${ref}`).digest("hex");
  }

  /** A redeployed revision that was live succeeds, and needs no build unless it is of an archive. */
  plan({ config }: Source, redeployed?: Redeployed): Timeline {
    const { faults, statusSeconds, failRefs, dialect } = this.#options;
    const ref = refOf(config);
    const ruled = faults.timelineFor(ref, redeployed !== undefined);
    if (ruled !== undefined) return ruled;
    const isUpload = typeof config.source_tarball_path === "string";
    if (redeployed?.wasLive) return planTimeline({ builds: isUpload, statusSeconds });
    const { status: endsIn, message } = dialect.failureOf(config) ?? { status: failRefs.get(ref ?? "") };
    const builds = (config.image_uri ?? null) === null;
    return planTimeline({ builds, statusSeconds, endsIn, message });
  }

  prepare(): void {}

  factsOf({ source_revision_config: { repo_commit_sha: commit } }: RevisionRow): RevisionFacts {
    return { commit: typeof commit === "string" ? commit : null, secrets: [] };
  }

  changed(): void {}

  async start(): Promise<void> {}

  async close(): Promise<void> {}

  liveUrl(deployment: DeploymentRow): string {
    const { custom_url: url } = deployment.source_config;
    if (typeof url === "string") return url;
    return `${this.#options.origin()}/live/${encodeURIComponent(deployment.name)}`;
  }
}
