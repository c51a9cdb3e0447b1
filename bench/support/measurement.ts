/** A figure and its goal, as a row of the table. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  /** `""`: measured for comparison. */
  readonly goal: string;
  readonly isMissed: boolean;
}

export type Measurement = readonly Figure[];

/** The figures as a Markdown table, which says of each goal whether it is met. */
export function figuresTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, figure, goal, isMissed }) => {
    const verdict = isMissed ? `**missed**: ${goal}` : goal;
    return `| ${what} | ${figure} | ${verdict} |`;
  });
  return ["| Measured | Figure | Goal |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The number in the middle, of two the larger one; NaN if there are none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
