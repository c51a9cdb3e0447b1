/** How much of a run the summary shows. */
export const summaryLimits = {
  /** The Markdown before the heading's text. */
  level: "##",
  /** The most rows of a table or items of a list. */
  maxRows: 100,
  /** The most failed checks that are shown with what was sent and received. */
  maxBlocks: 20,
  /** The most lines of a block. */
  maxLines: 50,
  maxLineLength: 1000,
  /** Whether the times of the statuses are shown. They are of no use while the run is still going. */
  hasTimes: true,
};

export type DocumentLimits = typeof summaryLimits;

/** How much of a run the comment shows, of which GitHub accepts 65,536 characters. */
export const commentLimits: DocumentLimits = {
  level: "###",
  maxRows: 20,
  maxBlocks: 4,
  maxLines: 20,
  maxLineLength: 500,
  hasTimes: false,
};
