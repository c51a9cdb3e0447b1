import type { CertificateFlaw } from "./certificates.ts";

/** A response instead of the server's; its headers may depend on the time and on the host that redirects lead to. */
export interface FalseResponse {
  readonly status: number;
  readonly headers?: (moment: { readonly now: number; readonly otherHost: string }) => Record<string, string>;
  readonly body?: string;
}

/** What goes wrong on the wire. The first three come before there is a request. */
export type WireFault =
  | { readonly kind: "refused" }
  | { readonly kind: "certificate"; readonly flaw: CertificateFlaw }
  | { readonly kind: "plain HTTP" }
  | { readonly kind: "reset unread" }
  | { readonly kind: "reset" }
  | { readonly kind: "garbled TLS" }
  | { readonly kind: "silence" }
  | { readonly kind: "trickle" }
  | { readonly kind: "cut"; readonly framing: "length" | "chunked" }
  | { readonly kind: "flood"; readonly bytes: number }
  | ({ readonly kind: "response" } & FalseResponse)
  /** The real response without these keys, at any depth of its JSON. */
  | { readonly kind: "without"; readonly keys: readonly string[] }
  /** The real response with another id. */
  | { readonly kind: "other id" }
  /** 101: the connection is to continue in another protocol. */
  | { readonly kind: "upgrade" };

/**
 * What a fault means to someone who knows only the specification.
 *
 * - `unsent`: no connection was made; `lost`: one was, but no complete response came
 * - `server error`: 5xx; `timeout`: 408; `throttled`: 429 with a `Retry-After` that can be kept; `throttled, unclear`:
 *   429 with one that makes no sense; `throttled, endless`: 429 with one beyond every deadline
 * - `oversized`: more than anyone reads; `invalid`: a success that the API does not describe
 * - `forbidden`: 401 and 403; `missing`: 404 of the API itself; `conflict`: 409; `refusal`: every other 4xx
 * - `unsupported`: 405 of the API itself; `unimplemented`: its 501; `redirect`: 3xx and 101
 */
export type Category =
  | "unsent"
  | "lost"
  | "server error"
  | "timeout"
  | "throttled"
  | "throttled, unclear"
  | "throttled, endless"
  | "oversized"
  | "invalid"
  | "forbidden"
  | "missing"
  | "conflict"
  | "refusal"
  | "unsupported"
  | "unimplemented"
  | "redirect";

export interface Fault {
  readonly name: string;
  readonly category: Category;
  readonly wire: WireFault;
  /** Whether the request takes effect anyway; with `either`, a write is tried both ways. */
  readonly effect: "never" | "either" | "always";
}

const html = { "content-type": "text/html; charset=utf-8" };
const page = "<!doctype html><html><title>Welcome</title><body>Sign in to go on.</body></html>";
const json = { "content-type": "application/json" };
const detail = (text: string) => JSON.stringify({ detail: text });

const connection: readonly Fault[] = [
  { name: "refused", category: "unsent", wire: { kind: "refused" }, effect: "never" },
  ...(["self-signed", "expired", "for another host"] as const).map(
    (flaw): Fault => ({
      name: `certificate ${flaw}`,
      category: "unsent",
      wire: { kind: "certificate", flaw },
      effect: "never",
    }),
  ),
  // A response in plain text may also come after the request, so it does not prove that none was sent.
  { name: "plain HTTP on a TLS port", category: "lost", wire: { kind: "plain HTTP" }, effect: "never" },
  { name: "reset, unread", category: "lost", wire: { kind: "reset unread" }, effect: "never" },
  { name: "reset, read", category: "lost", wire: { kind: "reset" }, effect: "either" },
  { name: "bytes that are not TLS", category: "lost", wire: { kind: "garbled TLS" }, effect: "either" },
  { name: "silence", category: "lost", wire: { kind: "silence" }, effect: "either" },
  { name: "a byte a second", category: "lost", wire: { kind: "trickle" }, effect: "always" },
  { name: "cut", category: "lost", wire: { kind: "cut", framing: "length" }, effect: "always" },
  { name: "cut in a chunk", category: "lost", wire: { kind: "cut", framing: "chunked" }, effect: "always" },
  { name: "50 MB", category: "oversized", wire: { kind: "flood", bytes: 50_000_000 }, effect: "either" },
];

const invalid: readonly Fault[] = [
  invalidSuccess("empty body", {}, ""),
  invalidSuccess("HTML with 200", html, page),
  invalidSuccess("JSON of another shape", json, JSON.stringify({ ok: true, data: [1, 2, 3] })),
  invalidSuccess("JSON null", json, "null"),
  { name: "missing id", category: "invalid", wire: { kind: "without", keys: ["id"] }, effect: "always" },
  { name: "other id", category: "invalid", wire: { kind: "other id" }, effect: "always" },
];

function invalidSuccess(name: string, headers: Record<string, string>, body: string): Fault {
  const wire: WireFault = { kind: "response", status: 200, headers: () => headers, body };
  return { name, category: "invalid", wire, effect: "either" };
}

const redirects: readonly Fault[] = [
  { name: "101", category: "redirect", wire: { kind: "upgrade" }, effect: "either" },
  ...[301, 302, 303, 307, 308].map((status): Fault => {
    const headers = ({ otherHost }: { otherHost: string }) => ({ location: otherHost });
    const wire: WireFault = { kind: "response", status, headers };
    return { name: `${status} to another host`, category: "redirect", wire, effect: "either" };
  }),
];

const categoryOf4xx: Readonly<Record<number, Category>> = {
  401: "forbidden",
  403: "forbidden",
  404: "missing",
  405: "unsupported",
  408: "timeout",
  409: "conflict",
};

const refusals: readonly Fault[] = [
  ...[400, 401, 403, 404, 405, 408, 409, 410, 413, 418].map((status) =>
    errorResponse(status, categoryOf4xx[status] ?? "refusal", json, detail(`No (${status}).`)),
  ),
  errorResponse(
    422,
    "refusal",
    json,
    JSON.stringify({ detail: [{ loc: ["body", "name"], msg: "Not like this", type: "value_error" }] }),
  ),
  { ...errorResponse(404, "refusal", html, page), name: "404 HTML" },
];

const throttles: readonly Fault[] = [
  throttle("in 5 s", "throttled", () => "5"),
  throttle("at a date", "throttled", (now) => new Date(now + 5000).toUTCString()),
  throttle("negative", "throttled, unclear", () => "-5"),
  throttle("garbage", "throttled, unclear", () => "soon; or ::error::never"),
  throttle("enormous", "throttled, endless", () => "9".repeat(400)),
];

function throttle(name: string, category: Category, retryAfter: (now: number) => string): Fault {
  const headers = ({ now }: { now: number }) => ({
    ...json,
    date: new Date(now).toUTCString(),
    "retry-after": retryAfter(now),
  });
  const wire: WireFault = { kind: "response", status: 429, headers, body: detail("Slow down.") };
  return { name: `429, Retry-After ${name}`, category, wire, effect: "never" };
}

const serverErrors: readonly Fault[] = [
  ...[500, 502, 503, 504].map((status) => errorResponse(status, "server error", html, page, "either")),
  { ...errorResponse(501, "server error", html, page, "either"), name: "501 HTML" },
  errorResponse(501, "unimplemented", json, detail("Not here."), "either"),
];

function errorResponse(
  status: number,
  category: Category,
  headers: Record<string, string>,
  body: string,
  effect: Fault["effect"] = "never",
): Fault {
  const wire: WireFault = { kind: "response", status, headers: () => headers, body };
  return { name: String(status), category, wire, effect };
}

/** Every fault of the matrix. */
export const faults: readonly Fault[] = [
  ...connection,
  ...invalid,
  ...redirects,
  ...refusals,
  ...throttles,
  ...serverErrors,
];

/** Whether it is a fault of the connection, decided before a request can be read. */
export function isOfConnection({ wire }: Fault): boolean {
  return wire.kind === "refused" || wire.kind === "certificate" || wire.kind === "plain HTTP";
}

/** Whether it needs a TLS connection. */
export function needsTls({ wire }: Fault): boolean {
  return wire.kind === "certificate" || wire.kind === "plain HTTP" || wire.kind === "garbled TLS";
}

/** Whether only the request's own timeout ends it, in real time. */
export function hangs({ wire }: Fault): boolean {
  return wire.kind === "silence" || wire.kind === "trickle";
}
