/**
 * They keep the summary far below a megabyte. GitHub drops a larger one:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export const summaryLimits = {
  headingMark: "##",
  /** For each table and list. */
  maxRows: 100,
  /** For the failed checks whose evidence is shown. */
  maxBlocks: 10,
  maxLines: 50,
  maxLineLength: 1000,
  /** Whether the time in each status is shown. It is of little use before the run has ended. */
  showsTimes: true,
};

export type DocumentLimits = Readonly<typeof summaryLimits>;

/** GitHub accepts comments of at most 65,536 characters. */
export const commentLimits: DocumentLimits = {
  headingMark: "###",
  maxRows: 20,
  maxBlocks: 4,
  maxLines: 20,
  maxLineLength: 500,
  showsTimes: false,
};
