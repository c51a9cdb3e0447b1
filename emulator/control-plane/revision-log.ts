/** The build and deploy logs of revisions. */
import type { ActiveFaults } from "../faults/active-faults.ts";
import type { LogType } from "../faults/fault-rule.ts";
import { type Config, type RevisionRow, refOf } from "../store/deployments.ts";
import { reasonFor, type Step, stepsUntil } from "../timeline.ts";

export interface RevisionLog {
  /** The lines so far, the oldest first; `now` is in milliseconds since the epoch. */
  lines(revision: RevisionRow, type: LogType, now: number): readonly unknown[];
}

/** Invented logs: nothing is built, so the lines are what a build could have printed. */
export class InventedLog implements RevisionLog {
  readonly #faults: ActiveFaults;

  constructor(faults: ActiveFaults) {
    this.#faults = faults;
  }

  lines(revision: RevisionRow, type: LogType, now: number): readonly unknown[] {
    const { created_at, timeline, source_revision_config: config } = revision;
    const lineAt = (after: number, level: string, message: string) => ({
      timestamp: new Date(created_at + after).toISOString(),
      level,
      message,
    });
    const ruled = this.#faults.logLines(type, refOf(config));
    if (ruled !== undefined) {
      return ruled.map((line) => (typeof line === "string" ? lineAt(0, "INFO", line) : line));
    }
    return stepsUntil(timeline, now - created_at).flatMap((step) => [
      ...progressIn(step.status, type, config).map((message) => lineAt(step.after, "INFO", message)),
      ...failureIn(step, type).map((message) => lineAt(step.after, "ERROR", message)),
    ]);
  }
}

function progressIn(status: string, type: LogType, config: Config): string[] {
  const image = config.image_uri ?? "the image that was built";
  const messages: Record<LogType, Record<string, string[]>> = {
    build: {
      BUILDING: [
        typeof config.source_tarball_path === "string"
          ? `Unpacking ${config.source_tarball_path}`
          : `Checking out ${config.repo_ref} at ${config.repo_commit_sha}`,
        `Reading ${config.app_config_path}`,
        "Installing dependencies",
        "Collecting packages",
        "Building the image",
      ],
      AWAITING_DEPLOY: ["Pushed the image"],
    },
    deploy: {
      DEPLOYING: [`Pulling ${image}`, "Starting the server", "Waiting until the server is healthy"],
      DEPLOYED: ["The server is healthy"],
    },
  };
  // Images are built by somebody else, who has the build log.
  if (type === "build" && typeof config.image_uri === "string") return [];
  return messages[type][status] ?? [];
}

/** A failed creation appears in neither log. */
function failureIn(step: Step, type: LogType): string[] {
  const { status } = step;
  if (!status.includes("FAILED") || status === "CREATE_FAILED") return [];
  const failedIn = status === "BUILD_FAILED" ? "build" : "deploy";
  return failedIn === type ? [reasonFor(step) ?? status] : [];
}
