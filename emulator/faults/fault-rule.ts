/** Fault rules: plain data, the same in a test and in a `--faults` file. */
import * as v from "valibot";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const duration = v.pipe(v.number(), v.minValue(0));

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** The requests that a rule affects. An absent field matches any. */
const MatchSchema = v.strictObject({
  method: v.optional(v.string()),
  /** A regular expression for the path without host, `/api-host` and query. */
  path: v.optional(v.pipe(v.string(), v.check(isPattern, "path has to be a regular expression"))),
  /** The first affected request among those that match, counted from 1 since the rule was added. */
  from: v.optional(positive, 1),
  /** The number of affected requests. */
  times: v.optional(v.union([positive, v.literal("always")]), 1),
});
export type Match = v.InferOutput<typeof MatchSchema>;

/** By default it affects every request that it matches. */
const EveryMatchSchema = v.strictObject({
  ...MatchSchema.entries,
  times: v.optional(v.union([positive, v.literal("always")]), "always"),
});

const match = v.optional(MatchSchema, {});
/** By default every request. */
const everyMatch = v.optional(EveryMatchSchema, {});

/** Whether the request takes effect before the fault. */
const applied = v.optional(v.boolean(), false);

/** Another response than the real one. */
const AnswerSchema = v.strictObject({
  kind: v.literal("answer"),
  match,
  applied,
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  /** Text is sent unchanged, everything else as JSON with its content type. */
  body: v.optional(v.unknown()),
});

/** The request never gets a response. */
const HangSchema = v.strictObject({ kind: v.literal("hang"), match, applied });

/** The connection is reset instead of a response; without `applied` after the first `bytes` of the request's body. */
const ResetSchema = v.strictObject({ kind: v.literal("reset"), match, applied, bytes: v.optional(count, 0) });

/** The connection is closed after the first `bytes` of the real response (default: half of it). */
const CutSchema = v.strictObject({
  kind: v.literal("cut"),
  match,
  bytes: v.optional(count),
  framing: v.optional(v.picklist(["length", "chunked"]), "length"),
});

/** The real response arrives byte by byte, each after a delay in real time. */
const TrickleSchema = v.strictObject({ kind: v.literal("trickle"), match, milliseconds: duration });

/** JSON responses lack these keys, at any depth. */
const HideSchema = v.strictObject({
  kind: v.literal("hide"),
  match: everyMatch,
  fields: v.array(v.string()),
});

/**
 * New revisions are invisible to these reads for a time after the write, for a number of reads, or until both are
 * over. `deployment` is the `latest_revision_id` of a deployment; `deployments` is the list of them, where a new
 * deployment is missing.
 */
const HideNewSchema = v.strictObject({
  kind: v.literal("hide_new"),
  where: v.optional(v.array(v.picklist(["revisions", "revision", "deployment", "deployments"])), [
    "revisions",
    "revision",
    "deployment",
  ]),
  milliseconds: v.optional(duration, 0),
  reads: v.optional(count, 0),
});

/** Somebody else creates a revision right before or right after the next update that creates one. */
const ConcurrentRevisionSchema = v.strictObject({
  kind: v.literal("concurrent_revision"),
  when: v.picklist(["before", "after"]),
  /** Its ref, by default that of the deployment. */
  repo_ref: v.optional(v.string()),
  times: v.optional(v.union([positive, v.literal("always")]), 1),
});

/** Revisions created from now on, of one ref or of all, go through these statuses; the last one lasts forever. */
const StatusesSchema = v.strictObject({
  kind: v.literal("statuses"),
  repo_ref: v.optional(v.string()),
  /** Whether the rule is for redeployed revisions instead of others. */
  redeployed: v.optional(v.boolean(), false),
  sequence: v.pipe(
    v.array(
      v.strictObject({
        status: v.string(),
        seconds: v.optional(duration, 0),
        /** The `status_message`, in a dialect that has one. */
        message: v.optional(v.string()),
      }),
    ),
    v.minLength(1),
  ),
});

/** The whole log of revisions, of one ref or of all, in a dialect that has logs. */
const LogsSchema = v.strictObject({
  kind: v.literal("logs"),
  type: v.picklist(["build", "deploy"]),
  repo_ref: v.optional(v.string()),
  /** A text becomes the message of a line; everything else is sent unchanged, in any shape. */
  lines: v.array(v.unknown()),
});

/** A revision that ends as DEPLOY_FAILED is the active one, and the one before it is gone. */
const FailedTakesOverSchema = v.strictObject({ kind: v.literal("failed_takes_over") });

/** A deployment stays in this status for a while after its DELETE, and keeps its name. */
const SlowDeleteSchema = v.strictObject({
  kind: v.literal("slow_delete"),
  seconds: duration,
  status: v.optional(v.picklist(["AWAITING_DELETE", "AWAITING_FINAL_DELETE"]), "AWAITING_DELETE"),
});

/** The kinds of broken responses that agents are known for. */
const agentFaultSchemas = [
  /** The response begins, and white space follows forever, a line at this interval in real time. */
  v.strictObject({ kind: v.literal("whitespace"), match, milliseconds: duration }),
  /** The real response comes after this time, in real time. */
  v.strictObject({ kind: v.literal("delay"), match, milliseconds: duration }),
  /** A JSON string of this many bytes. */
  v.strictObject({ kind: v.literal("huge"), match, bytes: v.optional(positive, 20_000_000) }),
  /** A response that shows the request, with its headers. */
  v.strictObject({ kind: v.literal("echo"), match }),
] as const;

/** A JSON Schema, or `null` if the agent has none. */
const jsonSchema = v.optional(v.unknown());

/** What a simulated graph shows of itself. */
const SimulatedGraphSchema = v.strictObject({
  nodes: v.optional(v.array(v.string()), ["agent"]),
  input: jsonSchema,
  output: jsonSchema,
  state: jsonSchema,
  config: jsonSchema,
  context: jsonSchema,
});

const SimulatedThreadSchema = v.strictObject({
  thread_id: v.string(),
  status: v.optional(v.picklist(["idle", "busy", "interrupted", "error"]), "interrupted"),
  graph_id: v.optional(v.string(), "agent"),
  /** The nodes that the thread goes on with; one of a subgraph behind the subgraph's and a colon. */
  next: v.array(v.string()),
});

/** Rules for the agents of deployments. */
const agentRuleSchemas = [
  /** The revision that was live before responds in place of the live one. */
  v.strictObject({ kind: v.literal("old_revision"), match: everyMatch }),
  /** The graphs that revisions, of one ref, of one deployment or of all, serve. */
  v.strictObject({
    kind: v.literal("graphs"),
    repo_ref: v.optional(v.string()),
    deployment: v.optional(v.string()),
    graphs: v.record(v.string(), SimulatedGraphSchema),
  }),
  /** The threads of agents, of one deployment or of all, the newest first. */
  v.strictObject({
    kind: v.literal("threads"),
    deployment: v.optional(v.string()),
    threads: v.array(SimulatedThreadSchema),
  }),
  /**
   * From now on, every run of revisions, of one ref or of all, ends as an error or interrupted, or its graph is missing. It
   * can't be limited to a number of runs.
   */
  v.strictObject({
    kind: v.literal("run"),
    ends: v.picklist(["error", "interrupted", "missing"]),
    repo_ref: v.optional(v.string()),
    message: v.optional(v.string(), "The model refused the key."),
  }),
] as const;

export const FaultRuleSchema = v.variant("kind", [
  AnswerSchema,
  HangSchema,
  ResetSchema,
  CutSchema,
  TrickleSchema,
  HideSchema,
  HideNewSchema,
  ConcurrentRevisionSchema,
  StatusesSchema,
  LogsSchema,
  FailedTakesOverSchema,
  SlowDeleteSchema,
  ...agentFaultSchemas,
  ...agentRuleSchemas,
]);

/** A rule as it is written: fields that have a default are optional. */
export type FaultRule = v.InferInput<typeof FaultRuleSchema>;
/** A rule with all of its fields. */
export type ParsedRule = v.InferOutput<typeof FaultRuleSchema>;
export type LogType = Extract<ParsedRule, { kind: "logs" }>["type"];
export type ReadPlace = v.InferOutput<typeof HideNewSchema>["where"][number];

/** The kinds of rules about the response to a single request. */
export const FAULT_KINDS = [
  ...["answer", "hang", "reset", "cut", "trickle"],
  ...["whitespace", "delay", "huge", "echo"],
] as const;
type FaultKind = (typeof FAULT_KINDS)[number];

/** A rule about the response to a single request. */
export type Fault = Extract<ParsedRule, { kind: FaultKind }>;

/** How the runs of a revision end. */
export type RunFault = Extract<ParsedRule, { kind: "run" }>;

export type SimulatedGraph = v.InferOutput<typeof SimulatedGraphSchema>;
export type SimulatedThread = v.InferOutput<typeof SimulatedThreadSchema>;

/** The text of a `--faults` file. */
export const FaultsFileSchema = v.pipe(v.string(), v.parseJson(), v.array(FaultRuleSchema));
