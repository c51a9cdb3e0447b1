import { type ApiResponse, errorResponse, notFound, type Routes } from "./api-response.ts";
import { type CheckedGraphql, checkGraphql, type GraphqlQuery, graphqlErrors } from "./graphql.ts";
import { type Permissions, refusal } from "./permissions.ts";
import { type CheckedRequest, checkRequest, type IncomingRequest } from "./request-check.ts";
import { responseProblems } from "./schema-check.ts";

export interface Token {
  /** The account that the token writes as. */
  readonly login: string;
  permissions: Permissions;
}

export interface ApiOptions {
  readonly routes: Routes;
  readonly queries: readonly GraphqlQuery[];
  /** By their value. */
  readonly tokens: ReadonlyMap<string, Token>;
  /** Full name of the only repository. */
  readonly repository: string;
  readonly hidesMissingPermission: boolean;
}

function bearerOf(headers: Headers): string {
  return /^(?:token|bearer) (.+)$/iu.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/** GitHub from request to response, without sockets: it checks request, token, repository and permission. */
export class Api {
  /** What was wrong with the requests so far. */
  readonly violations: string[] = [];
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** Checks a request at once. It takes effect when the returned function is called, unless a fault prevents that. */
  accept(request: IncomingRequest): () => ApiResponse {
    if (request.path === "/graphql") {
      const checked = checkGraphql(request, this.#options.queries);
      this.#addViolations(request, checked.problems);
      return () => this.#graphql(request, checked);
    }
    const checked = checkRequest(request);
    const isMissing = checked.found !== undefined && this.#routeOf(request, checked) === undefined;
    this.#addViolations(request, [...checked.problems, ...(isMissing ? ["not part of the stand-in"] : [])]);
    return () => this.#rest(request, checked);
  }

  #addViolations({ method, path }: IncomingRequest, problems: readonly string[]): void {
    this.violations.push(...problems.map((problem) => `${method} ${path}: ${problem}`));
  }

  #routeOf({ method }: IncomingRequest, { found }: CheckedRequest) {
    return this.#options.routes.get(`${method} ${found?.operation.template}`);
  }

  #graphql({ headers }: IncomingRequest, { query, variables, problems }: CheckedGraphql): ApiResponse {
    const token = this.#options.tokens.get(bearerOf(headers));
    if (token === undefined) return errorResponse(401, "Bad credentials");
    return query === undefined || problems.length > 0
      ? graphqlErrors(problems.map((message) => ({ message })))
      : query.respond({ variables, ...token });
  }

  #rest(request: IncomingRequest, checked: CheckedRequest): ApiResponse {
    const token = this.#options.tokens.get(bearerOf(request.headers));
    if (token === undefined) return errorResponse(401, "Bad credentials");
    const { found, query, body } = checked;
    if (found === undefined) return notFound();
    const route = this.#routeOf(request, checked);
    if (route === undefined) return errorResponse(501, "Not part of the stand-in for GitHub");
    const refused = this.#refusal(request, checked, token);
    if (refused !== undefined) return refused;
    const { pathValues, operation } = found;
    const response = route({ pathValues, query, body, login: token.login });
    const problems = responseProblems(operation, response.status, response.body);
    this.#addViolations(
      request,
      problems.map((problem) => `the stand-in's own response is wrong: ${problem}`),
    );
    return response;
  }

  /** In GitHub's order: another repository, a missing permission, the request itself. */
  #refusal(
    { method }: IncomingRequest,
    { found, problems }: CheckedRequest,
    { permissions }: Token,
  ): ApiResponse | undefined {
    const { repository, hidesMissingPermission } = this.#options;
    const requested = `${found?.pathValues.owner}/${found?.pathValues.repo}`;
    if (requested.toLowerCase() !== repository.toLowerCase()) return notFound();
    const template = found?.operation.template ?? "";
    return (
      refusal(method, template, permissions, hidesMissingPermission) ??
      (problems.length > 0 ? errorResponse(422, `Invalid request.\n\n${problems.join("\n")}`) : undefined)
    );
  }
}
