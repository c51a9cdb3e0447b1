/** The build and deploy logs of revisions. Nothing is built here: the lines are what a build could have said. */
import type { LoggedRevision } from "../deployments/revision-control.ts";
import type { Config } from "../deployments/store.ts";
import { InvalidRequestError } from "../errors.ts";
import { type Step, stepsUntil } from "../lifecycle.ts";
import type { LogType } from "../misbehave/rules.ts";
import { reasonOf } from "./failure.ts";
import type { LogQuery } from "./requests.ts";

interface Line {
  readonly timestamp: string;
  readonly level: string;
  readonly message: string;
}

/**
 * One page of a revision's log.
 * @throws {InvalidRequestError} when the cursor isn't one that was given out
 */
export function logPage(logged: LoggedRevision, { type, order, limit, offset, level }: LogQuery) {
  const all = linesOf(logged, type).filter((line) => level === undefined || hasLevel(line, level));
  if (order === "desc") all.reverse();
  const start = offset === undefined ? 0 : placeOf(offset);
  const end = start + limit;
  return { logs: all.slice(start, end), next_offset: end < all.length ? cursorFor(end) : null };
}

function linesOf({ revision, age, lines }: LoggedRevision, type: LogType): unknown[] {
  const lineAt = (step: Pick<Step, "after">, level: string, message: string): Line => ({
    timestamp: new Date(revision.created_at + step.after).toISOString(),
    level,
    message,
  });
  if (lines !== undefined) {
    return lines.map((line) => (typeof line === "string" ? lineAt({ after: 0 }, "INFO", line) : line));
  }
  return stepsUntil(revision.timeline, age).flatMap((step) => [
    ...whatHappensIn(step.status, type, revision.source_revision_config).map((text) =>
      lineAt(step, "INFO", text),
    ),
    ...(failsIn(step.status) === type ? [lineAt(step, "ERROR", reasonOf(step) ?? step.status)] : []),
  ]);
}

/** Which log tells of a failure; one of the creation is in none. */
function failsIn(status: string): LogType | undefined {
  if (status === "BUILD_FAILED") return "build";
  return status.includes("FAILED") && status !== "CREATE_FAILED" ? "deploy" : undefined;
}

function whatHappensIn(status: string, type: LogType, config: Config): string[] {
  const image = config.image_uri ?? "the image that was built";
  const told: Record<LogType, Record<string, string[]>> = {
    build: {
      BUILDING: [
        `Checking out ${config.repo_ref} at ${config.repo_commit_sha}`,
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
  // An image that somebody else built has no build log.
  if (type === "build" && typeof config.image_uri === "string") return [];
  return told[type][status] ?? [];
}

function hasLevel(line: unknown, level: string): boolean {
  if (typeof line !== "object" || line === null || !("level" in line)) return false;
  return String(line.level).toLowerCase() === level.toLowerCase();
}

// A number in disguise: a client that counts instead of handing the cursor back is to fail here too.
function cursorFor(place: number): string {
  return Buffer.from(`line ${place}`).toString("base64url");
}

function placeOf(cursor: string): number {
  const [, place] = /^line (\d+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (place !== undefined) return Number(place);
  throw new InvalidRequestError([
    { loc: ["query", "offset"], msg: "Input should be a next_offset", type: "value_error" },
  ]);
}
