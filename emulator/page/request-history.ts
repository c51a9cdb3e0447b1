/** The requests that the page shows: the last ones, without secrets. */
import type { LoggedRequest } from "../request-log.ts";

const MAX_REQUESTS = 200;

/** One request. */
export class RequestRecord {
  /** Counts all requests since the emulator was started. */
  readonly number: number;
  readonly entry: LoggedRequest;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Until its response; undefined as long as there is none. */
  tookMs: number | undefined;
  readonly #startedAt = performance.now();
  readonly #secrets: Set<string>;

  constructor(number: number, at: number, entry: LoggedRequest, secrets: Set<string>) {
    this.number = number;
    this.at = at;
    this.entry = entry;
    this.#secrets = secrets;
  }

  /** Called when the request has its response. */
  end(): void {
    this.tookMs = performance.now() - this.#startedAt;
    // Remembers the secrets even if nobody looks at this request.
    this.body();
  }

  /**
   * The names in the address, with `***` in place of all values: an agent's request may hold any secret in a query. A name
   * without a value may be one too.
   */
  get query(): string {
    const parts = Object.entries(this.entry.query).flatMap(([name, values]) =>
      values.map((value) => (value === "" ? "***" : `${name}=***`)),
    );
    return parts.length === 0 ? "" : `?${parts.join("&")}`;
  }

  /** The body with `***` in place of what its field names say is secret. */
  body(): unknown {
    return withoutSecrets(this.entry.body, (secret) => this.#secrets.add(secret));
  }
}

export class RequestHistory {
  /** The values of all secrets that requests sent. */
  readonly secrets = new Set<string>();
  #records: RequestRecord[] = [];
  #count = 0;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  begin(entry: LoggedRequest): RequestRecord {
    this.#count += 1;
    const record = new RequestRecord(this.#count, this.#now(), entry, this.secrets);
    this.#records = [record, ...this.#records].slice(0, MAX_REQUESTS);
    return record;
  }

  /** The newest first. */
  get records(): readonly RequestRecord[] {
    return this.#records;
  }
}

const SECRET_FIELD = /secret|password|(^|_)token$|api_?key|authorization|credential/i;

/** A copy of a JSON value without what stands below a field with a telling name, except the names of secrets. */
export function withoutSecrets(value: unknown, found: (secret: string) => void, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, found, isSecret));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        withoutSecrets(one, found, name === "name" ? false : isSecret || SECRET_FIELD.test(name)),
      ]),
    );
  }
  if (typeof value === "string") {
    if (isSecret) found(value);
    return isSecret ? "***" : value.replace(/(:\/\/)[^/@\s]*@/g, "$1***@");
  }
  return isSecret && typeof value === "number" ? "***" : value;
}
