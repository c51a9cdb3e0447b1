/** How much of a run the summary or the comment shows. */
export interface DocumentLimits {
  /** The Markdown before the heading's text. */
  readonly level: "##" | "###";
  /** Of each table or list. */
  readonly maxRows: number;
  /** Of failed checks, each with what was sent and received. */
  readonly maxBlocks: number;
  /** Of a block. */
  readonly maxLines: number;
  readonly maxLineLength: number;
  /** Whether the times are shown, which are of no use while the run goes on. */
  readonly hasTimes: boolean;
}

export const summaryLimits: DocumentLimits = {
  level: "##",
  maxRows: 100,
  maxBlocks: 20,
  maxLines: 50,
  maxLineLength: 1000,
  hasTimes: true,
};

/** GitHub accepts 65,536 characters in all. */
export const commentLimits: DocumentLimits = {
  level: "###",
  maxRows: 20,
  maxBlocks: 4,
  maxLines: 20,
  maxLineLength: 500,
  hasTimes: false,
};
