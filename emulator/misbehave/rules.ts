/** What the emulator can be told to do wrong: plain data, the same in a test and in a `--misbehave` file. */
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

/** Which requests a rule is about. Without a field: any. */
const MatchSchema = v.strictObject({
  method: v.optional(v.string()),
  /** A regular expression, tested against the path without host, `/api-host` and query. */
  path: v.optional(v.pipe(v.string(), v.check(isPattern, "path has to be a regular expression"))),
  /** The first matching request that is affected, counted from 1 when the rule is made. */
  from: v.optional(positive, 1),
  /** How many matching requests are affected. */
  times: v.optional(v.union([positive, v.literal("always")]), 1),
});
export type Match = v.InferOutput<typeof MatchSchema>;

/** The same, for a rule that by default affects every request that it matches. */
const EveryMatchSchema = v.strictObject({
  ...MatchSchema.entries,
  times: v.optional(v.union([positive, v.literal("always")]), "always"),
});

const match = v.optional(MatchSchema, {});
/** Whether the request is carried out before it goes wrong. */
const applied = v.optional(v.boolean(), false);

/** Another answer than the real one; with `applied` that of a platform that did it and then stumbled. */
const AnswerSchema = v.strictObject({
  kind: v.literal("answer"),
  match,
  applied,
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  /** Text is sent as it is; anything else as JSON, with its content type. */
  body: v.optional(v.unknown()),
});

/** Takes the request and never answers. */
const HangSchema = v.strictObject({ kind: v.literal("hang"), match, applied });

/** Closes the connection with a reset instead of answering; without `applied` before the body is read. */
const ResetSchema = v.strictObject({ kind: v.literal("reset"), match, applied });

/** Sends the first `bytes` of the real answer (default: half of it) and closes the connection. */
const CutSchema = v.strictObject({
  kind: v.literal("cut"),
  match,
  bytes: v.optional(count),
  framing: v.optional(v.picklist(["length", "chunked"]), "length"),
});

/** Sends the real answer byte by byte, a pause (milliseconds of real time) before each. */
const TrickleSchema = v.strictObject({ kind: v.literal("trickle"), match, milliseconds: duration });

/** Leaves keys out of JSON answers, at any depth. */
const HideSchema = v.strictObject({
  kind: v.literal("hide"),
  match: v.optional(EveryMatchSchema, {}),
  fields: v.array(v.string()),
});

/**
 * A new revision does not show in these reads for some time after the write, or for the first so many of
 * such reads, or (both given) until both are over. `deployment`: its `latest_revision_id`; `deployments`: a
 * new deployment's place in the list.
 */
const LagSchema = v.strictObject({
  kind: v.literal("lag"),
  where: v.optional(v.array(v.picklist(["revisions", "revision", "deployment", "deployments"])), [
    "revisions",
    "revision",
    "deployment",
  ]),
  milliseconds: v.optional(duration, 0),
  reads: v.optional(count, 0),
});

/** Somebody else's revision, made right before or right after the next PATCHes that make one. */
const ForeignRevisionSchema = v.strictObject({
  kind: v.literal("foreign_revision"),
  when: v.picklist(["before", "after"]),
  /** Its ref; undefined: the same as the deployment's. */
  repo_ref: v.optional(v.string()),
  times: v.optional(v.union([positive, v.literal("always")]), 1),
});

/** The life of revisions made from now on, of one ref or of all; the last status lasts for ever. */
const StatusesSchema = v.strictObject({
  kind: v.literal("statuses"),
  repo_ref: v.optional(v.string()),
  /** Whether it is the life of redeployed revisions instead. */
  redeployed: v.optional(v.boolean(), false),
  sequence: v.pipe(
    v.array(
      v.strictObject({
        status: v.string(),
        seconds: v.optional(duration, 0),
        /** What `status_message` says, on a platform that has one. */
        message: v.optional(v.string()),
      }),
    ),
    v.minLength(1),
  ),
});

/** What a revision's log holds from its beginning, of one ref or of all, on a platform that has logs. */
const LogsSchema = v.strictObject({
  kind: v.literal("logs"),
  type: v.picklist(["build", "deploy"]),
  repo_ref: v.optional(v.string()),
  /** A text is a line's message; anything else is given out as it is, whatever its shape. */
  lines: v.array(v.unknown()),
});

/** A revision that ends as DEPLOY_FAILED is the active one all the same: the one before is gone. */
const FailedTakesOverSchema = v.strictObject({ kind: v.literal("failed_takes_over") });

/** A deployment stays for a while as AWAITING_DELETE after its DELETE, its name taken. */
const SlowDeleteSchema = v.strictObject({ kind: v.literal("slow_delete"), seconds: duration });

export const RuleSchema = v.variant("kind", [
  AnswerSchema,
  HangSchema,
  ResetSchema,
  CutSchema,
  TrickleSchema,
  HideSchema,
  LagSchema,
  ForeignRevisionSchema,
  StatusesSchema,
  LogsSchema,
  FailedTakesOverSchema,
  SlowDeleteSchema,
]);

/** A rule as it is written: what has a default may be left out. */
export type RuleInput = v.InferInput<typeof RuleSchema>;
export type Rule = v.InferOutput<typeof RuleSchema>;
export type LogType = Extract<Rule, { kind: "logs" }>["type"];
export type LagPlace = v.InferOutput<typeof LagSchema>["where"][number];

/** The rules that spoil what goes over the wire, the request being carried out as ever or not at all. */
export type Fault = Extract<Rule, { kind: "answer" | "hang" | "reset" | "cut" | "trickle" }>;

/** A `--misbehave` file. */
export const RulesFileSchema = v.pipe(v.string(), v.parseJson(), v.array(RuleSchema));
