// The used fields of GitHub's responses (https://docs.github.com/en/rest, https://docs.github.com/en/graphql). A response
// without them did not come from GitHub.

import * as v from "valibot";
import { DeploymentIdSchema, RevisionIdSchema } from "../platform/ids.ts";
import { parseJson } from "../text/json.ts";
import { orAbsent } from "../text/schemas.ts";

const LoginSchema = v.nullish(v.object({ login: v.string() }));

const RecordPayloadSchema = v.looseObject({
  deployment_id: DeploymentIdSchema,
  revision_id: RevisionIdSchema,
  name: v.optional(v.string()),
  pull_request: v.optional(v.number()),
  run_id: v.optional(v.string()),
  /** The platform's name for the archive of an upload. */
  source_tarball_path: v.optional(v.string()),
  created: v.optional(v.boolean(), false),
  /** False if the recorded revision may be another run's. */
  is_certain: v.optional(v.boolean(), true),
  /** The newest revision before one that is not certain; absent if there was none. */
  follows: orAbsent(RevisionIdSchema),
  request_digest: v.optional(v.string()),
  /** The digest of the control plane and workspace that have the deployment. */
  control_plane_digest: v.optional(v.string()),
});
type RecordPayload = v.InferOutput<typeof RecordPayloadSchema>;
export type SentPayload = v.InferInput<typeof RecordPayloadSchema>;

/** Returns undefined if another program wrote the payload. GitHub sends it as an object or as its JSON. */
function parsePayload(payload: unknown): RecordPayload | undefined {
  const parsed = v.safeParse(RecordPayloadSchema, typeof payload === "string" ? parseJson(payload) : payload);
  return parsed.success ? parsed.output : undefined;
}

/** Only used fields are kept, because a busy repository has tens of thousands of deployments. */
const RecordSchema = v.object({
  id: v.number(),
  node_id: v.string(),
  task: v.string(),
  /** Milliseconds since the epoch. */
  created_at: v.pipe(v.string(), v.transform(Date.parse), v.number()),
  creator: LoginSchema,
  payload: v.pipe(v.unknown(), v.transform(parsePayload)),
});
export const RecordListSchema = v.array(RecordSchema);
/** A record, which another program may have written. */
export type AnyRecord = v.InferOutput<typeof RecordSchema>;

const StatusSchema = v.object({ state: v.pipe(v.string(), v.toLowerCase()) });

/** The newest states of deployments from GraphQL, which writes them in capitals. */
export const NewestStatesSchema = v.object({
  nodes: v.array(v.object({ latestStatus: v.nullable(StatusSchema) })),
});

export const CommentListSchema = v.array(
  v.object({ id: v.number(), body: v.optional(v.string(), ""), user: LoginSchema }),
);

export const PullRequestSchema = v.object({
  state: v.picklist(["open", "closed"]),
  labels: v.array(v.object({ name: v.string() })),
});

/** A folder is a list of its entries. */
export const ContentSchema = v.union([v.array(v.unknown()), v.object({ type: v.string() })]);

export const ViewerSchema = v.pipe(
  v.object({ viewer: v.object({ login: v.string() }) }),
  v.transform(({ viewer }) => viewer.login),
);

/** The response to a write. The ID shows that it comes from GitHub. */
export const WrittenSchema = v.object({ id: v.number() });
