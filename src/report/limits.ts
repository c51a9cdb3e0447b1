/** How much of a run the summary shows. */
export const summaryLimits = {
  /** The Markdown before the heading's text. */
  level: "##",
  /** Of each table or list. */
  maxRows: 100,
  /** Of failed checks, each with what was sent and received. */
  maxBlocks: 20,
  /** Of a block. */
  maxLines: 50,
  maxLineLength: 1000,
  /** Whether the times are shown, which are of no use while the run goes on. */
  hasTimes: true,
};

export type DocumentLimits = typeof summaryLimits;

/** GitHub accepts 65,536 characters in all. */
export const commentLimits: DocumentLimits = {
  level: "###",
  maxRows: 20,
  maxBlocks: 4,
  maxLines: 20,
  maxLineLength: 500,
  hasTimes: false,
};
