import * as v from "valibot";
import { orAbsent, textOrAbsent } from "../text/schemas.ts";
import { RevisionIdSchema } from "./ids.ts";
import { classifyStatus } from "./status.ts";

/** What a revision is built from. */
export interface RevisionContent {
  readonly repoRef?: string | undefined;
  readonly appConfigPath?: string | undefined;
  readonly imageUri?: string | undefined;
  /** The platform's name for an uploaded archive. */
  readonly tarballPath?: string | undefined;
  /** The commit that the platform built. */
  readonly commitSha?: string | undefined;
}

/** The SHA-1 or SHA-256 of a commit. */
export const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

const ContentSchema = v.pipe(
  v.looseObject({
    repo_ref: textOrAbsent,
    app_config_path: textOrAbsent,
    /** LangSmith Deployment's name for `app_config_path`. */
    langgraph_config_path: textOrAbsent,
    image_uri: textOrAbsent,
    source_tarball_path: textOrAbsent,
    repo_commit_sha: orAbsent(v.pipe(v.string(), v.regex(commitPattern))),
  }),
  v.transform(
    (wire): RevisionContent => ({
      repoRef: wire.repo_ref,
      appConfigPath: wire.app_config_path ?? wire.langgraph_config_path,
      imageUri: wire.image_uri,
      tarballPath: wire.source_tarball_path,
      commitSha: wire.repo_commit_sha,
    }),
  ),
);

export const RevisionSchema = v.pipe(
  v.looseObject({
    id: RevisionIdSchema,
    /** Without one, the revision is in progress. */
    status: v.nullish(v.string(), ""),
    created_at: textOrAbsent,
    updated_at: textOrAbsent,
    status_message: textOrAbsent,
    source_revision_config: orAbsent(ContentSchema),
  }),
  v.transform((wire) => ({
    id: wire.id,
    status: classifyStatus(wire.status),
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
    /** The reason for the status, in the platform's words. */
    statusMessage: wire.status_message,
    content: wire.source_revision_config,
  })),
);

/** A revision; a field that the platform does not show is undefined. */
export type Revision = Readonly<v.InferOutput<typeof RevisionSchema>>;
