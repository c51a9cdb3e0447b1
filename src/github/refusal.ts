import * as v from "valibot";

/** An answer by which GitHub says that it didn't do what it was asked to. */
export interface Refusal {
  /** Undefined for one of GraphQL's, which come with 200. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly words: string;
}

/** Whether a refusal is for a rate limit (docs.github.com, Rate limits for the REST API, and for the GraphQL API). */
export function isRateLimit({ status, words }: Pick<Refusal, "status" | "words">): boolean {
  return status === 429 || ((status === undefined || status === 403) && /rate limit/i.test(words));
}

/** Whether it is one of those after which a read is repeated (contract, 3.1). */
export function isPassing({ status }: Pick<Refusal, "status">): boolean {
  return status !== undefined && (status === 408 || status >= 500);
}

const HeadersSchema = v.record(
  v.string(),
  v.union([v.string(), v.pipe(v.number(), v.transform(String)), v.undefined()]),
);

/** Octokit's two errors for an answer without success: of REST, and of GraphQL. */
const RefusedSchema = v.union([
  v.pipe(
    v.looseObject({ response: v.looseObject({ status: v.number(), headers: HeadersSchema }) }),
    v.transform(({ response: { status, headers } }) => ({ status, headers })),
  ),
  v.pipe(
    v.looseObject({ headers: HeadersSchema, errors: v.array(v.unknown()) }),
    v.transform(({ headers }) => ({ status: undefined, headers })),
  ),
]);

/** The refusal in an error of Octokit's, undefined where that is another one. `words`: of its message. */
export function refusalIn(error: Error, words: string): Refusal | undefined {
  const parsed = v.safeParse(RefusedSchema, error);
  return parsed.success ? { ...parsed.output, words } : undefined;
}
