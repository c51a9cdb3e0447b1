import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { code, input as inputName, text } from "../text/message.ts";
import { readControlPlane, readDeleteTracingProject } from "./control-plane.ts";
import { readRequiredToken, warnWithoutToken } from "./github.ts";
import { formerPreviewName, minNameLength, previewName } from "./preview-name.ts";
import type { InputReader } from "./reader.ts";

/** The inputs that decide, with the event, whether there is anything to do. All others are read only if there is. */
export interface PreviewConditions {
  readonly label: string | undefined;
  /** Runs of Dependabot get no secrets. */
  readonly hasKey: boolean;
}

export function readPreviewConditions(reader: InputReader): PreviewConditions {
  return { label: reader.optional("label"), hasKey: reader.optional("api_key") !== undefined };
}

/** What deploying and deleting a preview both need: an input that only a deploy needs must not stop a deletion. */
export interface PreviewInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly name: string;
  /** The default name of older versions; undefined if `name` is set. */
  readonly formerName: string | undefined;
  readonly environment: string;
  readonly comment: boolean;
  readonly githubToken: string | undefined;
  readonly label: string | undefined;
  /** These two are used to detect a deployment of another repository. */
  readonly source: string | undefined;
  readonly repoUrl: string | undefined;
  readonly deleteTracingProject: boolean;
  readonly dryRun: boolean;
}

/** `repository`: `owner/name`. */
export function readPreviewInputs(
  reader: InputReader,
  repository: string,
  pullRequest: number,
): PreviewInputs {
  const controlPlane = readControlPlane(reader);
  return {
    controlPlane,
    ...readNames(reader, repository, pullRequest),
    environment: readPreviewEnvironment(reader),
    comment: reader.boolean("comment") ?? true,
    githubToken: reader.optional("github_token"),
    label: reader.optional("label"),
    source: reader.optional("source"),
    repoUrl: reader.optional("repo_url"),
    deleteTracingProject: readDeleteTracingProject(reader, controlPlane),
    dryRun: reader.boolean("dry_run") ?? false,
  };
}

function readNames(
  reader: InputReader,
  repository: string,
  pullRequest: number,
): Pick<PreviewInputs, "name" | "formerName"> {
  const maxLength = reader.wholeNumber("name_max_length", minNameLength) ?? 63;
  const name = reader.optional("name");
  if (name === undefined) {
    return {
      name: previewName(repository, pullRequest, maxLength),
      formerName: formerPreviewName(repository, pullRequest, maxLength),
    };
  }
  if (name.length > maxLength) {
    reader.reject(
      "name",
      text`has ${name.length} characters, more than ${inputName("name_max_length")} (${maxLength})`,
    );
  }
  return { name, formerName: undefined };
}

const withoutToken = {
  deploy: text`this preview gets no record and no comment on GitHub. Without a record, ${code("sweep")} cannot find it, so it is not deleted if the pull request is closed during the deploy. The ref and the configuration file are not checked before the deploy`,
  delete: text`the preview is found by its name only, and its records and its comment on GitHub stay as they are`,
};

/** Warns if `github_token` is empty. */
export function warnPreviewWithoutToken(reader: InputReader, task: keyof typeof withoutToken): void {
  warnWithoutToken(reader, withoutToken[task]);
}

/** The inputs of the sweep action. */
export interface SweepInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly environment: string;
  /** A preview whose newest record is older is deleted even if its pull request is open. */
  readonly maxAgeDays: number | undefined;
  readonly deleteTracingProject: boolean;
  readonly dryRun: boolean;
  readonly githubToken: string;
}

export function readSweepInputs(reader: InputReader): SweepInputs {
  const controlPlane = readControlPlane(reader);
  return {
    controlPlane,
    environment: readPreviewEnvironment(reader),
    maxAgeDays: reader.wholeNumber("max_age_days", 1),
    deleteTracingProject: readDeleteTracingProject(reader, controlPlane),
    dryRun: reader.boolean("dry_run") ?? false,
    githubToken: readRequiredToken(reader),
  };
}

/** The GitHub environment that holds the records of previews. */
function readPreviewEnvironment(reader: InputReader): string {
  return reader.optional("environment") ?? "Preview";
}
