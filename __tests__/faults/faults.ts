import type { CertificateFlaw } from "./certificates.ts";

/** What answers a request in place of the server behind the proxy; headers may tell of the moment and of a third host. */
export interface FalseAnswer {
  readonly status: number;
  readonly headers?: (moment: { readonly now: number; readonly elsewhere: string }) => Record<string, string>;
  readonly body?: string;
}

/** What goes wrong on the wire. Those of the connection come before there is a request. */
export type Mishap =
  | { readonly kind: "refused" }
  | { readonly kind: "certificate"; readonly flaw: CertificateFlaw }
  | { readonly kind: "no TLS" }
  | { readonly kind: "reset unread" }
  | { readonly kind: "reset" }
  | { readonly kind: "garbled TLS" }
  | { readonly kind: "silence" }
  | { readonly kind: "trickle" }
  | { readonly kind: "cut"; readonly framing: "length" | "chunked" }
  | { readonly kind: "flood"; readonly bytes: number }
  | ({ readonly kind: "answer" } & FalseAnswer)
  /** The real answer without these keys, at any depth of its JSON. */
  | { readonly kind: "without"; readonly keys: readonly string[] }
  /** The real answer, but its id is another one's. */
  | { readonly kind: "another's" }
  /** 101: the connection is to go on in another protocol. */
  | { readonly kind: "upgrade" };

/**
 * What a fault is to someone who knows only the contract.
 *
 * - `unsent`: no connection was made; `lost`: one was, and no whole answer came of it
 * - `stumble`: 5xx; `later`: 408; `wait`: 429 with a pause that can be kept; `unsaid wait`: 429 without one that makes
 *   sense; `endless wait`: 429 with one beyond every deadline
 * - `oversized`: more than anyone reads; `nonsense`: a success that isn't what the API describes
 * - `not allowed`: 401 and 403; `missing`: 404 of the API itself; `taken`: 409; `refusal`: every other 4xx
 * - `unsupported`: 405 of the API itself; `unimplemented`: its 501; `redirect`: 3xx, and what else leads away
 */
export type Nature =
  | "unsent"
  | "lost"
  | "stumble"
  | "later"
  | "wait"
  | "unsaid wait"
  | "endless wait"
  | "oversized"
  | "nonsense"
  | "not allowed"
  | "missing"
  | "taken"
  | "refusal"
  | "unsupported"
  | "unimplemented"
  | "redirect";

export interface Fault {
  readonly name: string;
  readonly nature: Nature;
  readonly mishap: Mishap;
  /** Whether the server may have carried the request out all the same, so that a write is tried both ways. */
  readonly effect: "none" | "either" | "always";
  /** In the short form, for every request. */
  readonly short?: true;
}

const html = { "content-type": "text/html; charset=utf-8" };
const page = "<!doctype html><html><title>Welcome</title><body>Sign in to go on.</body></html>";
const json = { "content-type": "application/json" };
const detail = (text: string) => JSON.stringify({ detail: text });

const connection: readonly Fault[] = [
  { name: "refused", nature: "unsent", mishap: { kind: "refused" }, effect: "none", short: true },
  ...(["self-signed", "expired", "for another host"] as const).map(
    (flaw): Fault => ({
      name: `certificate ${flaw}`,
      nature: "unsent",
      mishap: { kind: "certificate", flaw },
      effect: "none",
    }),
  ),
  // An answer in plain text may also come after the request, so it doesn't prove that none was sent.
  { name: "plain HTTP on a TLS port", nature: "lost", mishap: { kind: "no TLS" }, effect: "none" },
  { name: "reset, unread", nature: "lost", mishap: { kind: "reset unread" }, effect: "none" },
  { name: "reset, read", nature: "lost", mishap: { kind: "reset" }, effect: "either", short: true },
  { name: "bytes that are no TLS", nature: "lost", mishap: { kind: "garbled TLS" }, effect: "either" },
  { name: "silence", nature: "lost", mishap: { kind: "silence" }, effect: "either", short: true },
  { name: "a byte a second", nature: "lost", mishap: { kind: "trickle" }, effect: "always" },
  { name: "cut", nature: "lost", mishap: { kind: "cut", framing: "length" }, effect: "always", short: true },
  { name: "cut in a chunk", nature: "lost", mishap: { kind: "cut", framing: "chunked" }, effect: "always" },
  { name: "50 MB", nature: "oversized", mishap: { kind: "flood", bytes: 50_000_000 }, effect: "either" },
];

const nonsense: readonly Fault[] = [
  success("empty body", {}, ""),
  { ...success("HTML with 200", html, page), short: true },
  success("JSON of another shape", json, JSON.stringify({ ok: true, data: [1, 2, 3] })),
  success("JSON null", json, "null"),
  { name: "missing id", nature: "nonsense", mishap: { kind: "without", keys: ["id"] }, effect: "always" },
  { name: "another id", nature: "nonsense", mishap: { kind: "another's" }, effect: "always", short: true },
];

function success(name: string, headers: Record<string, string>, body: string): Fault {
  const mishap: Mishap = { kind: "answer", status: 200, headers: () => headers, body };
  return { name, nature: "nonsense", mishap, effect: "either" };
}

const upgrade: Fault = { name: "101", nature: "redirect", mishap: { kind: "upgrade" }, effect: "either" };

const redirects = [301, 302, 303, 307, 308].map((status): Fault => {
  const headers = ({ elsewhere }: { elsewhere: string }) => ({ location: elsewhere });
  return {
    name: `${status} to another host`,
    nature: "redirect",
    mishap: { kind: "answer", status, headers },
    effect: "either",
    ...(status === 307 && { short: true }),
  };
});

const natureOf4xx: Readonly<Record<number, Nature>> = {
  401: "not allowed",
  403: "not allowed",
  404: "missing",
  405: "unsupported",
  408: "later",
  409: "taken",
};

const refusals: readonly Fault[] = [
  ...[400, 401, 403, 404, 405, 408, 409, 410, 413, 418].map((status) =>
    answered(status, natureOf4xx[status] ?? "refusal", json, detail(`No (${status}).`)),
  ),
  answered(
    422,
    "refusal",
    json,
    JSON.stringify({ detail: [{ loc: ["body", "name"], msg: "Not like this", type: "value_error" }] }),
  ),
  { ...answered(404, "refusal", html, page), name: "404 HTML" },
];

const throttles: readonly Fault[] = [
  throttle("in 5 s", "wait", () => "5"),
  throttle("at a date", "wait", (now) => new Date(now + 5000).toUTCString()),
  throttle("negative", "unsaid wait", () => "-5"),
  throttle("garbage", "unsaid wait", () => "soon; or ::error::never"),
  throttle("enormous", "endless wait", () => "9".repeat(400)),
];

function throttle(name: string, nature: Nature, retryAfter: (now: number) => string): Fault {
  return {
    name: `429, Retry-After ${name}`,
    nature,
    mishap: {
      kind: "answer",
      status: 429,
      headers: ({ now }) => ({ ...json, "retry-after": retryAfter(now) }),
      body: detail("Slow down."),
    },
    effect: "none",
    ...(name === "in 5 s" && { short: true }),
  };
}

const stumbles: readonly Fault[] = [
  ...[500, 502, 503, 504].map((status) => ({
    ...answered(status, "stumble", html, page),
    effect: "either" as const,
    ...(status === 500 && { short: true as const }),
  })),
  { ...answered(501, "stumble", html, page), name: "501 HTML", effect: "either" },
  { ...answered(501, "unimplemented", json, detail("Not here.")), effect: "either" },
];

/** An answer without success. One of 4xx says that nothing was done (contract, 3.1). */
function answered(status: number, nature: Nature, headers: Record<string, string>, body: string): Fault {
  return {
    name: String(status),
    nature,
    mishap: { kind: "answer", status, headers: () => headers, body },
    effect: "none",
  };
}

/** Every fault of the matrix. */
export const faults: readonly Fault[] = [
  ...connection,
  ...nonsense,
  upgrade,
  ...redirects,
  ...refusals,
  ...throttles,
  ...stumbles,
];

/** Whether a fault is one of the connection, decided before a request can be read. */
export function isOfConnection({ mishap }: Fault): boolean {
  return mishap.kind === "refused" || mishap.kind === "certificate" || mishap.kind === "no TLS";
}

/** Whether a fault needs a TLS connection to be made. */
export function needsTls({ mishap }: Fault): boolean {
  return mishap.kind === "certificate" || mishap.kind === "no TLS" || mishap.kind === "garbled TLS";
}

/** Whether a fault ends only with the request's own timeout, in real time. */
export function hangs({ mishap }: Fault): boolean {
  return mishap.kind === "silence" || mishap.kind === "trickle";
}
