import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { readControlPlane } from "./control-plane.ts";
import { warnWithoutToken } from "./github-token.ts";
import { minName, previewName } from "./preview-name.ts";
import type { InputReader } from "./reader.ts";

/** What decides, beside the event, whether there is anything to do: an input that isn't needed then is never judged. */
export interface PreviewGate {
  readonly label: string | undefined;
  /** Dependabot's runs get no secrets. */
  readonly hasKey: boolean;
}

/** Reads it; nothing of it can be wrong. */
export function readPreviewGate(reader: InputReader): PreviewGate {
  return { label: reader.optional("label"), hasKey: reader.optional("api_key") !== undefined };
}

/** What deploying and deleting a preview both need. An input that only a deploy needs never stops a clean-up. */
export interface PreviewInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly name: string;
  readonly environment: string;
  readonly comment: boolean;
  readonly githubToken: string | undefined;
  readonly label: string | undefined;
  /** By these two a deployment of another repository is told from the preview. */
  readonly source: string | undefined;
  readonly repoUrl: string | undefined;
  readonly dryRun: boolean;
}

const withoutToken = {
  deploy:
    "this preview gets no record and no comment on GitHub. Without a record sweep doesn't find it. If its pull request is closed while it is deployed, it stays. Whether ref and configuration file exist isn't checked first",
  delete:
    "the preview is looked for by its name alone. Its records and its comment on GitHub stay as they are",
};

/** Warns where `github_token` came in empty of what isn't done without it. */
export function warnOfPreviewWithoutToken(reader: InputReader, task: keyof typeof withoutToken): void {
  warnWithoutToken(reader, withoutToken[task]);
}

/** Reads them; problems stay in the reader. `repository` is `owner/name`. */
export function readPreviewInputs(
  reader: InputReader,
  repository: string,
  pullRequest: number,
): PreviewInputs {
  return {
    controlPlane: readControlPlane(reader),
    name: readName(reader, repository, pullRequest),
    environment: reader.optional("environment") ?? "Preview",
    comment: reader.boolean("comment") ?? true,
    githubToken: reader.optional("github_token"),
    label: reader.optional("label"),
    source: reader.optional("source"),
    repoUrl: reader.optional("repo_url"),
    dryRun: reader.boolean("dry_run") ?? false,
  };
}

function readName(reader: InputReader, repository: string, pullRequest: number): string {
  const maxLength = reader.wholeNumber("name_max_length", minName) ?? 63;
  const name = reader.optional("name");
  if (name === undefined) return previewName(repository, pullRequest, maxLength);
  if (name.length > maxLength)
    reader.refuse("name", `has ${name.length} characters, more than name_max_length (${maxLength})`);
  return name;
}
