/** Answers that are not a success, thrown by whoever notices and turned into a response in `app.ts`. */

/** platform-api, "Validation error body". */
export interface ValidationItem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An answer with `detail` as one text: 400 to 409 (platform-field-notes, "Rules"). */
export class RefusedError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409;

  constructor(status: RefusedError["status"], detail: string) {
    super(detail);
    this.status = status;
  }
}

/** A 422 that names everything wrong with a request at once. */
export class InvalidRequestError extends Error {
  readonly items: readonly ValidationItem[];

  constructor(items: readonly ValidationItem[]) {
    super("the request breaks the schema");
    this.items = items;
  }
}
