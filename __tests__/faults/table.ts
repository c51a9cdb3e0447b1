import type { Kind } from "./invariants.ts";

/** What came of one cell. */
export interface CellResult {
  readonly scenario: string;
  readonly target: string;
  /** Of what went wrong, if anything did. */
  readonly kinds: readonly (Kind | "ending")[];
}

interface Row {
  readonly name: string;
  readonly results: readonly CellResult[];
}

const columns = ["request", "cells", "pass", "duplicates", "leaks"] as const;

/** The table of all results, and a last line with the sums. */
export function spellTable(title: string, results: readonly CellResult[], seconds: number): string {
  const byRequest = Map.groupBy(results, ({ scenario, target }) => `${scenario}: ${target}`);
  const rows = [...byRequest].map(([name, ofRequest]) => cellsOf({ name, results: ofRequest }));
  const lines = [columns, ...rows, cellsOf({ name: "all", results })];
  const widths = columns.map((_title, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const spelled = lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
  const [, cells = "", passes = "", duplicates = "", leaks = ""] = cellsOf({ name: "all", results });
  const sum = `Fault matrix ${title}: ${cells} cells, ${passes} passes, ${duplicates} duplicates, ${leaks} leaks, in ${Math.round(seconds)} s.`;
  return [...spelled, "", sum].join("\n");
}

function cellsOf({ name, results }: Row): readonly string[] {
  const having = (kind: Kind) => results.filter(({ kinds }) => kinds.includes(kind)).length;
  const passes = results.filter(({ kinds }) => kinds.length === 0).length;
  return [name, results.length, passes, having("duplicate"), having("leak")].map(String);
}
