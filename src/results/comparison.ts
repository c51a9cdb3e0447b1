import type { Failure } from "../errors.ts";

// What `compare_with` finds out: data for whoever decides by it, and for `report/`, which makes sentences of it.

/** A schema of a graph: what it takes, returns or keeps. */
export type SchemaKind = "input" | "output" | "config" | "context" | "state";

/** What differs between two schemas in one place, or why that can't be compared. */
export type SchemaDifference = SchemaChange | SchemaObstacle;

type SchemaChange =
  | { readonly kind: "gone" | "newly_required" | "no_longer_required" }
  /** The types before and after, such as `string or null`. `change`: of the values that are valid. */
  | {
      readonly kind: "type";
      readonly before: string;
      readonly after: string;
      readonly change: "narrower" | "wider";
    }
  /** Values of an enum, as JSON, that are no longer valid (`narrower`), or are new (`wider`). */
  | { readonly kind: "values"; readonly values: readonly string[]; readonly change: "narrower" | "wider" };

export type SchemaObstacle =
  /** `keyword`: one whose effect on the valid values is not compared. */
  | { readonly kind: "keyword"; readonly keyword: string }
  /** A property is new in what is returned, and the schema before allowed no other properties. */
  | { readonly kind: "closed" }
  | { readonly kind: "reference"; readonly reference: string }
  /** A property is new, and neither side shows which ones are required. */
  | { readonly kind: "required_hidden" }
  | { readonly kind: "too_large" };

export function isObstacle(difference: SchemaDifference): difference is SchemaObstacle {
  return ["keyword", "closed", "reference", "required_hidden", "too_large"].includes(difference.kind);
}

/** In the path of a difference: the items of a list. All other parts are names of properties. */
export const itemsOfList = "[]";

/** What can't be compared, of a graph. */
export type NotCompared =
  /** Only one side has the schema, or (`neither`) both should have one. */
  | {
      readonly kind: "no_schema";
      readonly schema: SchemaKind;
      readonly missing: "before" | "after" | "neither";
    }
  | {
      readonly kind: "schema";
      readonly schema: SchemaKind;
      readonly path: readonly string[];
      readonly obstacle: SchemaObstacle;
    }
  /** The schemas or nodes of one side could not be read. */
  | { readonly kind: "unread"; readonly what: "schemas" | "nodes"; readonly error: Failure }
  /** The compared agent shows no node of the graph. */
  | { readonly kind: "no_nodes" }
  /** The new server does not show what is in this subgraph. */
  | { readonly kind: "subgraph"; readonly node: string };

/** A difference between what two agents serve. `breaking`: for callers, readers or threads that wait. */
export type ContractChange = ContractDifference & { readonly breaking: boolean };

/** `threads`: those that wait, and that the difference concerns; `wasShown`: whether the compared agent shows it. */
export type ContractDifference = { readonly graph: string } & (
  | { readonly kind: "graph_gone"; readonly wasShown: boolean; readonly threads: readonly string[] }
  | { readonly kind: "graph_new" }
  | {
      readonly kind: "node_gone";
      readonly node: string;
      readonly wasShown: boolean;
      readonly threads: readonly string[];
    }
  | {
      readonly kind: "schema";
      readonly schema: SchemaKind;
      readonly path: readonly string[];
      readonly difference: SchemaChange;
      /** Of the state only: those of the graph. */
      readonly threads: readonly string[];
    }
  | { readonly kind: "not_compared"; readonly reason: NotCompared }
);

/** How many of the threads that wait were read. `total`: undefined if only known to be more than `read`. */
export interface ThreadsRead {
  readonly read: number;
  readonly total: number | undefined;
}

/** What came of `compare_with`. */
export type ComparisonResult =
  /** `previous` of a first deployment. */
  | { readonly kind: "nothing_before" }
  /**
   * Nothing of one side, none of the threads that wait, the new nodes of a graph on which some wait (`nodes`), or of no graph
   * what both sides show (`parts`) could be read. `changes`: those that were found anyway.
   */
  | {
      readonly kind: "unreadable";
      readonly what: "compared" | "new" | "threads" | "nodes" | "parts";
      readonly error: Failure;
      readonly changes: readonly ContractChange[];
      /** Undefined if they could not be read. */
      readonly threads?: ThreadsRead;
    }
  | {
      readonly kind: "compared";
      /** The breaking ones first. */
      readonly changes: readonly ContractChange[];
      readonly threads: ThreadsRead;
    };

/** Whether nothing speaks against the new revision: a comparison that saw nothing of one side does. */
export function keepsContract(result: ComparisonResult): boolean {
  return result.kind === "nothing_before" || (result.kind === "compared" && !hasBreakingChange(result));
}

/** Whether a breaking change was seen, whatever else could not be compared. */
export function hasBreakingChange(result: ComparisonResult): boolean {
  return "changes" in result && result.changes.some(({ breaking }) => breaking);
}
