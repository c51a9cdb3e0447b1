/** The rules in force, and what each of them has seen so far. Without rules everything goes as it should. */
import * as v from "valibot";
import { type Timeline, timelineOfSteps } from "../lifecycle.ts";
import {
  type Fault,
  type LagPlace,
  type LogType,
  type Match,
  type Rule,
  type RuleInput,
  RuleSchema,
} from "./rules.ts";

export interface RequestLine {
  readonly method: string;
  /** Without host, `/api-host` and query. */
  readonly path: string;
}

interface Entry<R extends Rule = Rule> {
  readonly rule: R;
  seen: number;
}

type RuleOf<Kind extends Rule["kind"]> = Extract<Rule, { kind: Kind }>;

const FAULT_KINDS = ["answer", "hang", "reset", "cut", "trickle"] as const satisfies Fault["kind"][];

/** Answers what is to go wrong; a rule counts what it affects as it is asked. */
export class Misbehaviour {
  readonly #entries = new Set<Entry>();
  /** How often a revision was left out of a kind of read, by rule. */
  readonly #leftOut = new WeakMap<Entry, Map<string, number>>();

  /**
   * Puts a rule in force, behind those there are.
   * @returns a function that takes it back
   * @throws {v.ValiError} when it is no rule
   */
  add(input: RuleInput): () => void {
    const entry = { rule: v.parse(RuleSchema, input), seen: 0 };
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
    };
  }

  /** What is to go wrong with this request: the first rule that affects it. */
  faultFor(request: RequestLine): Fault | undefined {
    // Every rule counts every request that it matches, so no early end.
    const affecting = this.#ofKind(...FAULT_KINDS).filter((entry) => affects(entry, request));
    return affecting[0]?.rule;
  }

  /** The keys to leave out of the answer to this request. */
  hiddenFields(request: RequestLine): readonly string[] {
    return this.#ofKind("hide")
      .filter((entry) => affects(entry, request))
      .flatMap(({ rule }) => rule.fields);
  }

  /**
   * Whether a revision is to be left out of a read.
   * @param age milliseconds since it was made
   */
  lags(place: LagPlace, revisionId: string, age: number): boolean {
    const lagging = this.#ofKind("lag")
      .filter(({ rule }) => rule.where.includes(place))
      .filter((entry) => this.#stillLags(entry, `${place} ${revisionId}`, age));
    return lagging.length > 0;
  }

  #stillLags(entry: Entry<RuleOf<"lag">>, key: string, age: number): boolean {
    const reads = this.#leftOut.get(entry) ?? new Map<string, number>();
    this.#leftOut.set(entry, reads);
    const before = reads.get(key) ?? 0;
    reads.set(key, before + 1);
    return before < entry.rule.reads || age < entry.rule.milliseconds;
  }

  /** The foreign revisions due around the PATCH that is being carried out. */
  foreignRevisions(when: "before" | "after"): readonly { repo_ref?: string | undefined }[] {
    return this.#ofKind("foreign_revision")
      .filter(({ rule }) => rule.when === when)
      .filter((entry) => isWithin(1, entry.rule.times, ++entry.seen))
      .map(({ rule }) => rule);
  }

  /** The life of a new revision, where a rule gives one. */
  timelineFor(ref: string | null, redeployed = false): Timeline | undefined {
    const rules = this.#ofKind("statuses").map(({ rule }) => rule);
    const found = rules.find(
      (rule) => rule.redeployed === redeployed && (rule.repo_ref === undefined || rule.repo_ref === ref),
    );
    return found && timelineOfSteps(found.sequence);
  }

  /** The lines of a revision's log, where a rule gives them. */
  logLines(type: LogType, ref: string | null): readonly unknown[] | undefined {
    const rules = this.#ofKind("logs").map(({ rule }) => rule);
    return rules.find((rule) => rule.type === type && (rule.repo_ref === undefined || rule.repo_ref === ref))
      ?.lines;
  }

  /** Whether a revision that fails while it is deployed has taken the place of the one before. */
  failedTakesOver(): boolean {
    return this.#ofKind("failed_takes_over").length > 0;
  }

  /** How long a deployment stays after its DELETE, in milliseconds. */
  deletionTime(): number {
    return (this.#ofKind("slow_delete")[0]?.rule.seconds ?? 0) * 1000;
  }

  #ofKind<Kind extends Rule["kind"]>(...kinds: Kind[]): Entry<RuleOf<Kind>>[] {
    const isWanted = (entry: Entry): entry is Entry<RuleOf<Kind>> =>
      kinds.some((kind) => kind === entry.rule.kind);
    return [...this.#entries].filter(isWanted);
  }
}

function affects(entry: Entry<Extract<Rule, { match: Match }>>, { method, path }: RequestLine): boolean {
  const { match } = entry.rule;
  if (match.method !== undefined && match.method !== method) return false;
  if (match.path !== undefined && !new RegExp(match.path).test(path)) return false;
  entry.seen += 1;
  return isWithin(match.from, match.times, entry.seen);
}

function isWithin(from: number, times: number | "always", nth: number): boolean {
  return nth >= from && (times === "always" || nth < from + times);
}
