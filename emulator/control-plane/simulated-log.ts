/** Simulated logs: nothing is built, so the entries are what a build could have printed. */
import type { ActiveFaults } from "../faults/active-faults.ts";
import type { LogType } from "../faults/fault-rule.ts";
import { type Config, type RevisionRow, refOf } from "../store/deployments.ts";
import { reasonFor, type Step, stepsUntil } from "../timeline.ts";
import { type LogContent, type LogEntry, type RevisionLog, statusAt } from "./revision-log.ts";

interface TimedEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly entry: unknown;
}

export class SimulatedLog implements RevisionLog {
  readonly #faults: ActiveFaults;

  constructor(faults: ActiveFaults) {
    this.#faults = faults;
  }

  read(
    revisions: readonly RevisionRow[],
    type: LogType,
    now: number,
    last = Number.POSITIVE_INFINITY,
  ): LogContent {
    return {
      entries: revisions
        .flatMap((revision) => this.#entriesOf(revision, type, now))
        .sort((one, other) => one.at - other.at)
        .map(({ entry }, place) => ({ place, entry }))
        .slice(-last),
      isComplete: revisions.every((revision) => statusAt(revision, now).isLast),
    };
  }

  #entriesOf(revision: RevisionRow, type: LogType, now: number): TimedEntry[] {
    const { id, created_at, timeline, source_revision_config: config } = revision;
    const entryOf = ({ after, level, message }: Line, index: number): TimedEntry => {
      const at = created_at + after;
      return {
        at,
        entry: { id: `${id}-${type}-${index}`, timestamp: at, level, message } satisfies LogEntry,
      };
    };
    const ruled = this.#faults.logLines(type, refOf(config));
    if (ruled !== undefined) {
      return ruled.map((line, index) =>
        typeof line === "string"
          ? entryOf({ after: 0, level: "INFO", message: line }, index)
          : { at: created_at, entry: line },
      );
    }
    return stepsUntil(timeline, now - created_at)
      .flatMap((step) => linesIn(step, type, config))
      .map(entryOf);
  }
}

interface Line {
  /** Milliseconds since the creation of the revision. */
  readonly after: number;
  readonly level: string;
  readonly message: string;
}

function linesIn(step: Step, type: LogType, config: Config): Line[] {
  const { status, after } = step;
  return [
    ...progressIn(status, type, config).map((message) => ({ after, level: "INFO", message })),
    ...failureIn(step, type).map((message) => ({ after, level: "ERROR", message })),
  ];
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
