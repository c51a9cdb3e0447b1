import { example } from "./description.ts";

/** A checked request on its way to a route. */
export interface Call {
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Of the account that the token writes as. */
  readonly login: string;
  /** `https://HOST/repos/OWNER/REPO` as links in answers start. */
  readonly repositoryUrl: string;
  /** The request's own URL, for the links to other pages. */
  readonly url: URL;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `METHOD template`, the template as GitHub's description has it. */
export type Routes = ReadonlyMap<string, (call: Call) => Answer>;

const documentation = "https://docs.github.com/rest";

/** An error as GitHub answers it (docs.github.com, Troubleshooting the REST API). */
export function errorAnswer(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: { message, documentation_url: documentation, status: String(status) } };
}

export const notFound = (): Answer => errorAnswer(404, "Not Found");

/** GitHub's 422 for one field. */
export function validationFailed(resource: string, field: string, message: string): Answer {
  const errors = [{ resource, field, code: "custom", message }];
  return {
    status: 422,
    body: { message: "Validation Failed", errors, documentation_url: documentation, status: "422" },
  };
}

function count(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** One page of a list, with GitHub's `Link` header to the others. */
export function page(call: Call, items: readonly unknown[]): Answer {
  const length = count(call.query.per_page, 30);
  const number = count(call.query.page, 1);
  const last = Math.max(1, Math.ceil(items.length / length));
  const link = (to: number, relation: string) => {
    const url = new URL(call.url);
    url.searchParams.set("page", String(to));
    return `<${url}>; rel="${relation}"`;
  };
  const links = [
    ...(number > 1 ? [link(number - 1, "prev")] : []),
    ...(number < last ? [link(number + 1, "next"), link(last, "last")] : []),
    ...(number > 1 ? [link(1, "first")] : []),
  ];
  return {
    status: 200,
    headers: links.length > 0 ? { link: links.join(", ") } : {},
    body: items.slice((number - 1) * length, number * length),
  };
}

/** Milliseconds since the epoch as GitHub writes a time. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/u, "Z");
}

/** An account as answers show it: GitHub's example of one under another name. */
export function account(login: string): Record<string, unknown> {
  const { creator } = example("deployment");
  return { ...Object(creator), login, type: login.endsWith("[bot]") ? "Bot" : "User" };
}

/** Ids as large as GitHub's have become: beyond 32 bits. */
export function idSequence(first = 3_100_000_001): () => number {
  let next = first;
  return () => next++;
}
