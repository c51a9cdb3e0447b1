import * as v from "valibot";
import type { ApiResponse } from "./api-response.ts";
import type { Deployments } from "./deployments.ts";
import { isJson, type Json } from "./description.ts";
import { type Permissions, permits } from "./permissions.ts";
import { headerProblems, type IncomingRequest, parseBody } from "./request-check.ts";

/** A known query: GitHub's description of its REST API does not contain GraphQL. */
export interface GraphqlQuery {
  readonly text: string;
  readonly variables: v.GenericSchema;
  readonly respond: (call: GraphqlCall) => ApiResponse;
}

interface GraphqlCall {
  readonly variables: unknown;
  /** Of the account that the token writes as. */
  readonly login: string;
  readonly permissions: Permissions;
}

export interface CheckedGraphql {
  readonly query: GraphqlQuery | undefined;
  readonly variables: unknown;
  readonly problems: readonly string[];
}

/** GitHub answers more with an ARGUMENT_LIMIT error. */
const maxIds = 100;
const DeploymentIdsSchema = v.strictObject({
  ids: v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1), v.maxLength(maxIds)),
});

/** The queries of the action. */
export function graphqlQueries(deployments: Deployments): readonly GraphqlQuery[] {
  return [
    {
      text: "query { viewer { login } }",
      variables: v.strictObject({}),
      respond: ({ login }) => ({ status: 200, body: { data: { viewer: { login } } } }),
    },
    {
      text: "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Deployment { latestStatus { state } } } }",
      variables: DeploymentIdsSchema,
      respond: ({ variables, permissions }) =>
        permits(permissions, "deployments", "read")
          ? newestStates(deployments, v.parse(DeploymentIdsSchema, variables).ids)
          : graphqlErrors([{ type: "FORBIDDEN", message: "Resource not accessible by integration" }]),
    },
  ];
}

function newestStates(deployments: Deployments, ids: readonly string[]): ApiResponse {
  const byNodeId = new Map(deployments.all().map((record) => [record.nodeId, record]));
  const nodes = ids.map((id) => {
    const record = byNodeId.get(id);
    const state = record?.statuses[0]?.state.toUpperCase();
    return record === undefined ? null : { latestStatus: state === undefined ? null : { state } };
  });
  const errors = ids
    .filter((id) => !byNodeId.has(id))
    .map((id) => ({
      type: "NOT_FOUND",
      message: `Could not resolve to a node with the global id of '${id}'`,
    }));
  return errors.length === 0 ? { status: 200, body: { data: { nodes } } } : graphqlErrors(errors, { nodes });
}

/** GraphQL reports errors with 200. */
export function graphqlErrors(errors: readonly Json[], data: Json | null = null): ApiResponse {
  return { status: 200, body: { data, errors } };
}

/** Checks a request to `/graphql`: the query, its variables, the fields of the body, and the headers. */
export function checkGraphql(request: IncomingRequest, known: readonly GraphqlQuery[]): CheckedGraphql {
  const { value } = parseBody(request.body);
  const body = isJson(value) ? value : {};
  const text = normalized(typeof body.query === "string" ? body.query : "");
  const query = known.find((each) => normalized(each.text) === text);
  const variables = body.variables ?? {};
  const issues = query === undefined ? [] : (v.safeParse(query.variables, variables).issues ?? []);
  const problems = [
    ...headerProblems(request.headers),
    ...(request.method === "POST" ? [] : [`${request.method} is not POST`]),
    ...(query ? [] : [`the query is none of ${known.map((each) => each.text).join(", ")}`]),
    ...issues.map((issue) => `variables: ${v.getDotPath(issue) ?? "it"}: ${issue.message}`),
    ...Object.keys(body)
      .filter((name) => !["query", "variables", "operationName"].includes(name))
      .map((name) => `body: unknown field ${name}`),
  ];
  return { query, variables, problems };
}

/** A query without its name and insignificant blanks. */
function normalized(query: string): string {
  return query
    .replaceAll(/[\s,]+/gu, " ")
    .replaceAll(/ ?([{}()[\]:!]|\.\.\.) ?/gu, "$1")
    .trim()
    .replace(/^query(?: \w+)?/u, "");
}
