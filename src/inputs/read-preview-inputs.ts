import { createHash } from "node:crypto";
import { recordTask } from "../github/deployment-records.ts";
import { inputName, phrase, text } from "../text/message.ts";
import { readControlPlane } from "./read-control-plane.ts";
import { readSourceKind } from "./read-deploy-inputs.ts";
import type { InputReader } from "./reader.ts";

/** The inputs that a deletion needs too. A mistake in any other must not stop a deletion. */
export type PreviewInputs = Readonly<ReturnType<typeof readPreviewInputs>>;

/** `repository`: `owner/name`. */
export function readPreviewInputs(reader: InputReader, repository: string, pullRequest: number) {
  const name = readName(reader, repository, pullRequest);
  return {
    settings: readControlPlane(reader),
    name,
    /** Whether the name has the number of the pull request. Any other name could be that of production. */
    nameHasNumber: name.split(/[^a-z\d]+/i).includes(String(pullRequest)),
    record: {
      environment: readPreviewEnvironment(reader),
      task: recordTask("preview", name),
      isProduction: false,
      pullRequest,
    },
    comment: reader.boolean("comment") ?? true,
    label: reader.optional("label"),
    sourceKind: readSourceKind(reader),
    repoUrl: reader.optional("repo_url"),
    dryRun: reader.boolean("dry_run") ?? false,
  };
}

function readName(reader: InputReader, repository: string, pullRequest: number): string {
  const maxLength = reader.wholeNumber("name_max_length", minNameLength) ?? 63;
  const name = reader.optional("name");
  if (name !== undefined && name === reader.optional("compare_with")) {
    reader.reject(
      "name",
      phrase`is also in ${inputName("compare_with")}: a preview needs a deployment of its own, which is deleted when the pull request is closed`,
      {
        hint: text`Choose a different ${inputName("name")}, or leave it out for a name of the preview's own.`,
      },
    );
  }
  return name ?? previewName(repository, pullRequest, maxLength);
}

function readPreviewEnvironment(reader: InputReader): string {
  return reader.optional("environment") ?? "Preview";
}

/** The smallest `name_max_length`: it leaves room for one letter of the repository's name with a number of nine digits. */
export const minNameLength = 20;

const hashLength = 5;

/**
 * Returns the name of a pull request's deployment, `<repository>-<hash>-pr-<number>`. Platforms allow only lower-case
 * letters, digits and dashes, a letter first. The hash of the repository's full name (`owner/name`) keeps apart the previews of
 * two repositories with the same name, or with names that begin alike.
 */
export function previewName(repository: string, pullRequest: number, maxLength: number): string {
  const hash = createHash("sha256").update(repository.toLowerCase()).digest("hex").slice(0, hashLength);
  const suffix = `-${hash}-pr-${pullRequest}`;
  const base = repositoryLabel(repository);
  return `${base.slice(0, maxLength - suffix.length).replace(/-$/, "")}${suffix}`;
}

/** Returns the repository's part of a preview's name, uncut. */
export function repositoryLabel(repository: string): string {
  const dashed = repository
    .slice(repository.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return /^[a-z]/.test(dashed) ? dashed : `preview-${dashed}`;
}

export type SweepInputs = Readonly<ReturnType<typeof readSweepInputs>>;

export function readSweepInputs(reader: InputReader) {
  return {
    settings: readControlPlane(reader),
    environment: readPreviewEnvironment(reader),
    /** A preview whose newest record is older is deleted even if its pull request is open. */
    maxAgeDays: reader.wholeNumber("max_age_days", 1),
    dryRun: reader.boolean("dry_run") ?? false,
    githubToken: reader.required("github_token"),
  };
}
