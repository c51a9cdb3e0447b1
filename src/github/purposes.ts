import type { Purpose } from "./errors.ts";

/**
 * What the actions ask GitHub for, with the permission that their READMEs ask for: with less, what comes next would fail.
 */
export const purposes = {
  readRecords: { what: "reading the deployment records", permission: "deployments: write" },
  writeRecord: { what: "recording the deployment", permission: "deployments: write" },
  writeStatus: { what: "recording the deployment's status", permission: "deployments: write" },
  readPullRequest: { what: "reading the pull request", permission: "pull-requests: write" },
  /** For sweep, which writes no comment. */
  readSweptPullRequest: { what: "reading the pull request", permission: "pull-requests: read" },
  readComments: { what: "reading the comments", permission: "pull-requests: write" },
  readContents: { what: "reading the repository", permission: "contents: read" },
  writeComment: { what: "writing the comment", permission: "pull-requests: write" },
} satisfies Record<string, Purpose>;
