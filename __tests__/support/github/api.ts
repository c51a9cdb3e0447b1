import { type Answer, errorAnswer, notFound, type Routes } from "./answer.ts";
import { type CheckedGraphql, checkGraphql, type GraphqlQuery, graphqlErrors } from "./graphql.ts";
import { type Permissions, refusal } from "./permissions.ts";
import { type CheckedRequest, checkRequest, type IncomingRequest } from "./request-check.ts";
import { answerErrors } from "./validation.ts";

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
  /** Full name of the one repository there is. */
  readonly repository: string;
  readonly hidesMissingPermission: boolean;
}

function bearer(headers: Headers): string {
  return /^(?:token|bearer) (.+)$/iu.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/** GitHub from request to answer: checks, token, repository, permission, route. Sockets are not its business. */
export class Api {
  /** What was wrong with requests so far. */
  readonly violations: string[] = [];
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** Checks a request, whatever becomes of it, and gives the function that carries it out. */
  take(request: IncomingRequest, url: URL): () => Answer {
    if (request.path === "/graphql") {
      const checked = checkGraphql(request, this.#options.queries);
      this.#note(request, checked.problems);
      return () => this.#graphql(request, checked);
    }
    const checked = checkRequest(request);
    const route = this.#routeOf(request, checked);
    const missing = checked.found !== undefined && route === undefined;
    this.#note(request, [...checked.problems, ...(missing ? ["the stand-in doesn't emulate it"] : [])]);
    return () => this.#rest(request, checked, url);
  }

  #note({ method, path }: IncomingRequest, problems: readonly string[]): void {
    this.violations.push(...problems.map((problem) => `${method} ${path}: ${problem}`));
  }

  #routeOf({ method }: IncomingRequest, { found }: CheckedRequest) {
    return this.#options.routes.get(`${method} ${found?.operation.template}`);
  }

  #graphql({ headers }: IncomingRequest, { query, variables, problems }: CheckedGraphql): Answer {
    const token = this.#options.tokens.get(bearer(headers));
    if (token === undefined) {
      return errorAnswer(401, "Bad credentials");
    }
    return query === undefined || problems.length > 0
      ? graphqlErrors(problems.map((message) => ({ message })))
      : query.answer({ variables, ...token });
  }

  #rest(request: IncomingRequest, checked: CheckedRequest, url: URL): Answer {
    const { tokens, repository } = this.#options;
    const token = tokens.get(bearer(request.headers));
    if (token === undefined) {
      return errorAnswer(401, "Bad credentials");
    }
    const { found, query, body } = checked;
    if (found === undefined) {
      return notFound();
    }
    const route = this.#routeOf(request, checked);
    if (route === undefined) {
      return errorAnswer(501, "The stand-in for GitHub doesn't emulate this");
    }
    const refused = this.#refusal(request, checked, token);
    if (refused !== undefined) {
      return refused;
    }
    const repositoryUrl = `${url.origin}/repos/${repository}`;
    const { pathValues, operation } = found;
    const answer = route({ pathValues, query, body, login: token.login, repositoryUrl, url });
    const wrong = answerErrors(operation, answer.status, answer.body);
    this.#note(
      request,
      wrong.map((problem) => `the stand-in's own answer is wrong: ${problem}`),
    );
    return answer;
  }

  /** In GitHub's order: another repository, a permission, the request itself. */
  #refusal(
    { method }: IncomingRequest,
    { found, problems }: CheckedRequest,
    token: Token,
  ): Answer | undefined {
    const { repository, hidesMissingPermission } = this.#options;
    const asked = `${found?.pathValues.owner}/${found?.pathValues.repo}`;
    if (asked.toLowerCase() !== repository.toLowerCase()) {
      return notFound();
    }
    const forbidden = refusal(
      method,
      found?.operation.template ?? "",
      token.permissions,
      hidesMissingPermission,
    );
    return (
      forbidden ??
      (problems.length > 0 ? errorAnswer(422, `Invalid request.\n\n${problems.join("\n")}`) : undefined)
    );
  }
}
