import * as v from "valibot";
import { ActionError } from "../errors.ts";
import { parseJson } from "../text/json.ts";
import { sanitizeExcerpt, sanitizeSentence } from "../text/sanitize.ts";
import { requestTitle } from "./errors.ts";
import type { HttpResponse } from "./request.ts";

/** What to check after a bad response of one API, naming the inputs of the actions that use it. */
export interface Hints {
  /** The input that holds the API's address, as messages name it. */
  readonly urlInput: string;
  /** For a response that did not come from the API. */
  readonly notTheApi: string;
  /** For a success that is not what the API describes. */
  readonly unexpected: string;
  /** For a redirect; by default it names `urlInput`. */
  readonly redirect?: string;
  readonly byStatus: Readonly<Record<number, string>>;
  /** For every other status below 500. */
  readonly otherwise: string;
}

/** The hints if `region` chose the address: a key of another region is unknown there. */
export function hintsForRegion(hints: Hints, region: string | undefined): Hints {
  if (region === undefined) return hints;
  const note = `${hints.urlInput} is not set, so the host of region ${region} is used: set region if the key and workspace belong to another one.`;
  const { 401: unknownKey, 403: forbidden } = hints.byStatus;
  const byStatus = { ...hints.byStatus, 401: `${unknownKey} ${note}`, 403: `${forbidden} ${note}` };
  return { ...hints, urlInput: `region or ${hints.urlInput}`, byStatus };
}

function hintFor(status: number, isFromApi: boolean, hints: Hints): string {
  if (status >= 300 && status < 400) {
    return (
      hints.redirect ??
      `Set ${hints.urlInput} to the API's final address. Redirects are not followed, because the key would go to the other host.`
    );
  }
  if (!isFromApi && (status === 404 || status === 405)) return hints.notTheApi;
  if (status >= 500)
    return "The platform had a problem. Try again, and check its status page if it persists.";
  return hints.byStatus[status] ?? hints.otherwise;
}

interface ResponseParts {
  readonly status: number;
  readonly isFromApi: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly hint: string;
  readonly findings?: readonly string[];
}

/** A response that is no success, or a success without what is needed to go on. */
export class ResponseError extends ActionError {
  override readonly name = "ResponseError";
  readonly status: number;
  /** Whether the API itself refused the request: a 404 whose body is not JSON came from something else. */
  readonly isFromApi: boolean;
  /** The delay that the server asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, isFromApi, retryAfterMs, hint, findings = [] }: ResponseParts) {
    super(message, { code: "response", hint, findings });
    this.status = status;
    this.isFromApi = isFromApi;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The error for a response that is no success. `redact` removes secrets before the text is cut: a part of a secret could
 * not be recognized.
 */
export function failedResponse(
  response: HttpResponse,
  retryAfterMs: number | undefined,
  hints: Hints,
  redact: (text: string) => string,
): ResponseError {
  const { request, status } = response;
  const body = parseJson(response.text);
  const findings = validationFindings(body, redact);
  const text =
    findings.length > 1
      ? `${findings.length} validation errors`
      : (findings[0] ?? responseText(response, redact));
  const isFromApi = body !== undefined;
  const sentence = sanitizeSentence(text, maxExcerptLength + 100);
  return new ResponseError(`${requestTitle(request)} failed with ${status}: ${sentence}`, {
    status,
    isFromApi,
    retryAfterMs,
    hint: hintFor(status, isFromApi, hints),
    findings: findings.length > 1 ? findings : [],
  });
}

/** The error for a success that is of no use. `what`: what is wrong with it. */
export function unexpectedResponse(
  { request, status }: Pick<HttpResponse, "request" | "status">,
  what: string,
  hints: Hints,
): ResponseError {
  const message = `${requestTitle(request)} returned ${status}, but ${what}.`;
  return new ResponseError(message, { status, isFromApi: false, hint: hints.unexpected });
}

const maxExcerptLength = 500;
/** In characters: how much of a response is searched for secrets, far more than is shown. */
const maxRedactedLength = 50_000;
/** More than a request has fields. */
const maxFindings = 100;

const ValidationErrorSchema = v.looseObject({
  detail: v.array(v.looseObject({ loc: v.array(v.union([v.string(), v.number()])), msg: v.string() })),
});

/** Where (`loc`) and what (`msg`) each item of a 422 says; empty for another body. */
function validationFindings(body: unknown, redact: (text: string) => string): string[] {
  const parsed = v.safeParse(ValidationErrorSchema, body);
  if (!parsed.success) return [];
  return parsed.output.detail
    .slice(0, maxFindings)
    .map(({ loc, msg }) => excerpt(`${loc.join(".")}: ${msg}`, redact));
}

const TextDetailSchema = v.looseObject({ detail: v.string() });

/** What an unsuccessful response says, in quotes, sanitized and cut. */
export function responseText(response: HttpResponse, redact: (text: string) => string): string {
  const { status, headers, text } = response;
  if (status >= 300 && status < 400) {
    // The query may be a credential, such as the signature of an upload address.
    const location = headers.location?.replace(/[?#].*$/s, "");
    const target = location === undefined ? "" : ` to ${sanitizeExcerpt(redact(location), 200)}`;
    return `a redirect${target}, which is not followed`;
  }
  const parsed = v.safeParse(TextDetailSchema, parseJson(text));
  const shown = excerpt(parsed.success ? parsed.output.detail : withoutTags(text), redact);
  return shown === "" ? "the response is empty" : `"${shown}"`;
}

function excerpt(text: string, redact: (text: string) => string): string {
  return sanitizeExcerpt(redact(text.slice(0, maxRedactedLength)), maxExcerptLength);
}

/** The text of an HTML page, roughly, for a message that quotes it. In linear time, because a server writes the page. */
function withoutTags(text: string): string {
  const start = text.slice(0, maxRedactedLength);
  if (!/^\s*</.test(start)) return start;
  return start
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ");
}
