import * as v from "valibot";
import type { Answer } from "./answer.ts";
import type { Deployments } from "./deployments.ts";
import { isJson, type Json } from "./description.ts";
import { type Permissions, permits } from "./permissions.ts";
import { headerProblems, type IncomingRequest, parseJson } from "./request-check.ts";

/** One of the queries that are understood; GitHub's description of its REST API leaves GraphQL out. */
export interface GraphqlQuery {
  readonly text: string;
  readonly variables: v.GenericSchema;
  readonly answer: (asked: Asked) => Answer;
}

interface Asked {
  readonly variables: unknown;
  /** Of the account that the token writes as. */
  readonly login: string;
  readonly permissions: Permissions;
}

export interface CheckedGraphql {
  readonly query: GraphqlQuery | undefined;
  readonly variables: unknown;
  /** What is wrong with the request; empty when it is right. */
  readonly problems: readonly string[];
}

/** The most ids that GitHub takes at a time; more are an ARGUMENT_LIMIT. */
const mostIds = 100;
const DeploymentIdsSchema = v.strictObject({
  ids: v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1), v.maxLength(mostIds)),
});

/** The queries that the action makes. */
export function graphqlQueries(deployments: Deployments): readonly GraphqlQuery[] {
  return [
    {
      text: "query { viewer { login } }",
      variables: v.strictObject({}),
      answer: ({ login }) => ({ status: 200, body: { data: { viewer: { login } } } }),
    },
    {
      text: "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Deployment { latestStatus { state } } } }",
      variables: DeploymentIdsSchema,
      answer: ({ variables, permissions }) =>
        permits(permissions, "deployments", "read")
          ? newestStates(deployments, v.parse(DeploymentIdsSchema, variables).ids)
          : graphqlErrors([{ type: "FORBIDDEN", message: "Resource not accessible by integration" }]),
    },
  ];
}

function newestStates(deployments: Deployments, ids: readonly string[]): Answer {
  const all = deployments.all();
  const found = ids.map((id) => all.find(({ nodeId }) => nodeId === id));
  const nodes = found.map((record) => record && { latestStatus: latestStatus(record.statuses[0]?.state) });
  const errors = ids.flatMap((id, index) =>
    found[index] === undefined
      ? [{ type: "NOT_FOUND", message: `Could not resolve to a node with the global id of '${id}'` }]
      : [],
  );
  const data = { nodes: nodes.map((node) => node ?? null) };
  return errors.length === 0 ? { status: 200, body: { data } } : graphqlErrors(errors, data);
}

/** As `DeploymentStatusState` spells it. */
function latestStatus(state: string | undefined) {
  return state === undefined ? null : { state: state.toUpperCase() };
}

/** GraphQL's refusal, which comes with 200. */
export function graphqlErrors(errors: readonly Json[], data: Json | null = null): Answer {
  return { status: 200, body: { data, errors } };
}

/** Checks a request to `/graphql`: the query, its variables, the fields of the body, and the headers. */
export function checkGraphql(request: IncomingRequest, known: readonly GraphqlQuery[]): CheckedGraphql {
  const { value } = parseJson(request.body);
  const body = isJson(value) ? value : {};
  const asked = normalized(typeof body.query === "string" ? body.query : "");
  const query = known.find(({ text }) => normalized(text) === asked);
  const variables = body.variables ?? {};
  const wrong = query === undefined ? [] : (v.safeParse(query.variables, variables).issues ?? []);
  const problems = [
    ...headerProblems(request.headers),
    ...(request.method === "POST" ? [] : [`${request.method} is not POST`]),
    ...(query ? [] : [`the query is none that is emulated: ${known.map(({ text }) => text).join(", ")}`]),
    ...wrong.map((issue) => `variables: ${v.getDotPath(issue) ?? "it"}: ${issue.message}`),
    ...Object.keys(body)
      .filter((name) => !["query", "variables", "operationName"].includes(name))
      .map((name) => `body: unknown field ${name}`),
  ];
  return { query, variables, problems };
}

/** A query without its name and the blanks that mean nothing. */
function normalized(query: string): string {
  return query
    .replaceAll(/[\s,]+/gu, " ")
    .replaceAll(/ ?([{}()[\]:!]|\.\.\.) ?/gu, "$1")
    .trim()
    .replace(/^query(?: \w+)?/u, "");
}
