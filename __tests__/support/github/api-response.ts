import { example } from "./description.ts";

/** A checked request on its way to a route. */
export interface ApiCall {
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Of the account that the token writes as. */
  readonly login: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body?: unknown;
  /** Of a list that goes on. */
  readonly nextPage?: number | undefined;
}

/** The key is `METHOD template`, with the template of GitHub's description. */
export type Routes = ReadonlyMap<string, (call: ApiCall) => ApiResponse>;

const documentation_url = "https://docs.github.com/rest";

/** https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api */
export function errorResponse(status: number, message: string): ApiResponse {
  return { status, body: { message, documentation_url, status: String(status) } };
}

export const notFound = (): ApiResponse => errorResponse(404, "Not Found");

/** GitHub's 422 for one field. */
export function validationFailed(resource: string, field: string, message: string): ApiResponse {
  const errors = [{ resource, field, code: "custom", message }];
  return { status: 422, body: { message: "Validation Failed", errors, documentation_url, status: "422" } };
}

/** One page of a list. */
export function page({ query }: ApiCall, items: readonly unknown[]): ApiResponse {
  const { per_page: length = 30, page: number = 1 } = query;
  const end = Number(number) * Number(length);
  const nextPage = end < items.length ? Number(number) + 1 : undefined;
  return { status: 200, body: items.slice(end - Number(length), end), nextPage };
}

/** Milliseconds since the epoch as GitHub formats a time. */
export function timestamp(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/u, "Z");
}

/** An account in responses: that of GitHub's example with another name. */
export function account(login: string): Record<string, unknown> {
  const { creator } = Object(example("deployment"));
  return { ...creator, login, type: login.endsWith("[bot]") ? "Bot" : "User" };
}

/** Ids are as large as GitHub's have become: beyond 32 bits. */
export function idSequence(first = 3_100_000_001): () => number {
  let next = first;
  return () => next++;
}
