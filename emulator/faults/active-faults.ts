/** The fault rules in force, with the requests and reads that each of them has counted. */
import * as v from "valibot";
import { type Timeline, timelineOf } from "../timeline.ts";
import {
  FAULT_KINDS,
  type Fault,
  type FaultRule,
  FaultRuleSchema,
  type LogType,
  type Match,
  type ParsedRule,
  type ReadPlace,
  type RunFault,
  type SimulatedGraph,
  type SimulatedThread,
} from "./fault-rule.ts";

export interface RequestLine {
  readonly method: string;
  /** Without host, `/api-host` and query. */
  readonly path: string;
}

interface Entry<R extends ParsedRule = ParsedRule> {
  readonly rule: R;
  seen: number;
}

type RuleOf<Kind extends ParsedRule["kind"]> = Extract<ParsedRule, { kind: Kind }>;

/** Most questions count as a request or a read, so ask each of them once. */
export class ActiveFaults {
  readonly #entries = new Set<Entry>();
  /** The number of reads that a revision was missing from, by rule. */
  readonly #hiddenReads = new WeakMap<Entry, Map<string, number>>();

  /**
   * Adds a rule after the others.
   * @returns a function that removes it
   * @throws {v.ValiError} if it is not a valid rule
   */
  add(input: FaultRule): () => void {
    const entry = { rule: v.parse(FaultRuleSchema, input), seen: 0 };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
    };
  }

  /** The first fault that affects this request. */
  faultFor(request: RequestLine): Fault | undefined {
    // Every rule has to count every request that it matches, so `find` would not do.
    const affecting = this.#ofKind(...FAULT_KINDS).filter((entry) => affects(entry, request));
    return affecting[0]?.rule;
  }

  /** The keys that the response to this request lacks. */
  hiddenFields(request: RequestLine): readonly string[] {
    return this.#ofKind("hide")
      .filter((entry) => affects(entry, request))
      .flatMap(({ rule }) => rule.fields);
  }

  /** Whether a revision, created `ageMs` ago, is missing from this read. */
  hidesNew(place: ReadPlace, revisionId: string, ageMs: number): boolean {
    const hiding = this.#ofKind("hide_new")
      .filter(({ rule }) => rule.where.includes(place))
      .filter((entry) => this.#stillHides(entry, `${place} ${revisionId}`, ageMs));
    return hiding.length > 0;
  }

  #stillHides(entry: Entry<RuleOf<"hide_new">>, key: string, ageMs: number): boolean {
    const reads = this.#hiddenReads.get(entry) ?? new Map<string, number>();
    this.#hiddenReads.set(entry, reads);
    const before = reads.get(key) ?? 0;
    reads.set(key, before + 1);
    return before < entry.rule.reads || ageMs < entry.rule.milliseconds;
  }

  /** The revisions that somebody else creates around the current update. */
  concurrentRevisions(when: "before" | "after"): readonly { repo_ref?: string | undefined }[] {
    return this.#ofKind("concurrent_revision")
      .filter(({ rule }) => rule.when === when)
      .filter((entry) => isWithin(1, entry.rule.times, ++entry.seen))
      .map(({ rule }) => rule);
  }

  /** The timeline of a new revision, if a rule sets one. */
  timelineFor(ref: string | null, redeployed: boolean): Timeline | undefined {
    const rules = this.#ofKind("statuses").map(({ rule }) => rule);
    const found = rules.find((rule) => rule.redeployed === redeployed && isFor(rule, ref));
    return found && timelineOf(found.sequence);
  }

  /** The lines of a log, if a rule sets them. */
  logLines(type: LogType, ref: string | null): readonly unknown[] | undefined {
    const rules = this.#ofKind("logs").map(({ rule }) => rule);
    return rules.find((rule) => rule.type === type && isFor(rule, ref))?.lines;
  }

  /** Whether a revision that ends as DEPLOY_FAILED replaces the active one. */
  failedTakesOver(): boolean {
    return this.#ofKind("failed_takes_over").length > 0;
  }

  /** How long a deployment stays after its DELETE. */
  deletionMs(): number {
    return (this.#ofKind("slow_delete")[0]?.rule.seconds ?? 0) * 1000;
  }

  /** The status of a deployment that is being deleted. */
  deletionStatus(): string {
    return this.#ofKind("slow_delete")[0]?.rule.status ?? "AWAITING_DELETE";
  }

  /** Whether the revision before the live one responds to this request of an agent. */
  oldRevisionResponds(request: RequestLine): boolean {
    return this.#ofKind("old_revision").filter((entry) => affects(entry, request)).length > 0;
  }

  /** How runs of a revision of this ref end, if a rule sets it. */
  runFault(ref: string | null): RunFault | undefined {
    const rules = this.#ofKind("run").map(({ rule }) => rule);
    return rules.find((rule) => isFor(rule, ref));
  }

  /** The graphs of a deployment's revision of this ref, if a rule sets them. */
  graphs(deployment: string, ref: string | null): Readonly<Record<string, SimulatedGraph>> | undefined {
    const rules = this.#ofKind("graphs").map(({ rule }) => rule);
    return rules.find((rule) => isFor(rule, ref) && isOf(rule, deployment))?.graphs;
  }

  /** The threads of a deployment's agent. */
  threads(deployment: string): readonly SimulatedThread[] {
    const rules = this.#ofKind("threads").map(({ rule }) => rule);
    return rules.find((rule) => isOf(rule, deployment))?.threads ?? [];
  }

  #ofKind<Kind extends ParsedRule["kind"]>(...kinds: Kind[]): Entry<RuleOf<Kind>>[] {
    const isWanted = (entry: Entry): entry is Entry<RuleOf<Kind>> =>
      kinds.some((kind) => kind === entry.rule.kind);
    return [...this.#entries].filter(isWanted);
  }
}

function isOf(rule: { readonly deployment?: string | undefined }, deployment: string): boolean {
  return rule.deployment === undefined || rule.deployment === deployment;
}

function affects(
  entry: Entry<Extract<ParsedRule, { match: Match }>>,
  { method, path }: RequestLine,
): boolean {
  const { match } = entry.rule;
  if (match.method !== undefined && match.method !== method) return false;
  if (match.path !== undefined && !new RegExp(match.path).test(path)) return false;
  entry.seen += 1;
  return isWithin(match.from, match.times, entry.seen);
}

function isWithin(from: number, times: number | "always", nth: number): boolean {
  return nth >= from && (times === "always" || nth < from + times);
}

function isFor(rule: { readonly repo_ref?: string | undefined }, ref: string | null): boolean {
  return rule.repo_ref === undefined || rule.repo_ref === ref;
}
