import * as v from "valibot";
import { parseJson } from "../text/json.ts";

/** What is read of GitHub's answers (docs.github.com, REST API). Unknown fields are let through. */
const LoginSchema = v.nullish(v.object({ login: v.string() }));

/** Of a record only what is used is kept: a busy repository has tens of thousands of them. */
export const RecordSchema = v.object({
  id: v.number(),
  node_id: v.optional(v.string()),
  task: v.string(),
  created_at: v.string(),
  creator: LoginSchema,
  payload: v.unknown(),
});
export type GitHubRecord = v.InferOutput<typeof RecordSchema>;
export const RecordListSchema = v.array(RecordSchema);

/** The newest states of so many records, in GraphQL, which writes states in capitals (GitHub's schema, Deployment). */
export function newestStatesSchema(count: number) {
  const status = v.looseObject({ state: v.pipe(v.string(), v.toLowerCase()) });
  const record = v.looseObject({ latestStatus: v.nullable(status) });
  return v.looseObject({ nodes: v.pipe(v.array(record), v.length(count)) });
}

export const RecordStatusListSchema = v.array(v.looseObject({ state: v.string() }));

/** What this action puts into a record, and reads back from its own ones. */
const PayloadSchema = v.looseObject({
  deployment_id: v.string(),
  revision_id: v.string(),
  name: v.optional(v.string()),
  pull_request: v.optional(v.number()),
  run_id: v.optional(v.string()),
  /** Of what was sent; see `requestDigest`. */
  request_digest: v.optional(v.string()),
});
export type Payload = v.InferOutput<typeof PayloadSchema>;

export const CommentSchema = v.looseObject({
  id: v.number(),
  body: v.optional(v.string(), ""),
  user: LoginSchema,
});
export type Comment = v.InferOutput<typeof CommentSchema>;
export const CommentListSchema = v.array(CommentSchema);

/** The comment of this id, and no other. */
export function commentSchema(id: number) {
  return v.looseObject({ ...CommentSchema.entries, id: v.literal(id) });
}

/** The pull request of this number. Anything else must not count as closed: a preview would be deleted. */
export function pullRequestSchema(number: number) {
  return v.looseObject({
    number: v.literal(number),
    state: v.picklist(["open", "closed"]),
    labels: v.optional(v.array(v.looseObject({ name: v.optional(v.string(), "") })), []),
  });
}

export const ViewerSchema = v.looseObject({ viewer: v.looseObject({ login: v.string() }) });

/** The answer to a write; only looked at to see that it is GitHub's, and not the page of something in between. */
export const WrittenSchema = v.looseObject({ data: v.looseObject({ id: v.number() }) });

/** A payload comes back as an object, or as the text that it was sent as; undefined where it isn't this action's. */
export function parsePayload(payload: unknown): Payload | undefined {
  const parsed = v.safeParse(PayloadSchema, typeof payload === "string" ? parseJson(payload) : payload);
  return parsed.success ? parsed.output : undefined;
}
