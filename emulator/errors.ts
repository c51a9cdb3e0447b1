/** Refusals: thrown by the part that notices, made into responses by `routes/app.ts`. */

/** One violation in the body of a 422. */
export interface ValidationItem {
  /** Where the value stands: `body`, `query` or `path`, then keys and indices. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** A response with `{"detail": "text"}`. */
export class RefusedError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 411 | 421 | 503;

  constructor(status: RefusedError["status"], detail: string) {
    super(detail);
    this.status = status;
  }
}

/** A 422 with every violation of a request. */
export class InvalidRequestError extends Error {
  readonly items: readonly ValidationItem[];

  constructor(items: readonly ValidationItem[]) {
    super("the request breaks the schema");
    this.items = items;
  }
}

/** Why a revision can't be built or started, in one line for its `status_message`. */
export class RunFailure extends Error {}

/** The emulator cannot listen on a port or host. */
export class ListenError extends Error {}

/** What an error says. Anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
