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
