import type { RevisionContent } from "./revision.ts";
import type { SourceUpload } from "./source-upload.ts";

/** The values of `source` that this action knows. */
export const sourceKinds = {
  /** A repository. */
  github: "github",
  /** An archive that a run uploads. */
  upload: "internal_source",
  /** An image in the platform's own registry. */
  platformImage: "internal_docker",
  /** An image in another registry. */
  otherImage: "external_docker",
} as const;

/** A deployment as the inputs describe it. An undefined field was not set. */
export interface DesiredDeployment {
  /** The input `source`, or the source of uploads if `source_path` is set. A create has `github` by default. */
  readonly sourceKind: string | undefined;
  readonly upload: SourceUpload | undefined;
  readonly integrationId: string | undefined;
  readonly listenerId: string | undefined;
  readonly k8sNamespace: string | undefined;
  readonly repoUrl: string | undefined;
  readonly deploymentType: string | undefined;
  readonly buildOnPush: boolean | undefined;
  readonly customUrl: string | undefined;
  readonly resourceSpec: Record<string, unknown> | undefined;
  readonly content: Omit<RevisionContent, "commitSha">;
  readonly secrets: readonly Variable[];
  /** Variables that are not secret. They are sent with the secrets. */
  readonly envVars: readonly Variable[];
}

export function isFromGitHub({ sourceKind }: Pick<DesiredDeployment, "sourceKind">): boolean {
  return sourceKind === undefined || sourceKind === sourceKinds.github;
}

export interface Variable {
  readonly name: string;
  readonly value: string;
}
