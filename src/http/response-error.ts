import * as v from "valibot";
import { ActionError } from "../errors.ts";
import { parseJson } from "../text/json.ts";
import { sanitizeExcerpt, sanitizeSentence } from "../text/sanitize.ts";
import type { RequestName } from "./errors.ts";
import type { HttpResponse } from "./exchange.ts";
import { type Hints, hintFor } from "./hints.ts";
import { ValidationErrorSchema } from "./validation-error.ts";

const excerptLength = 500;
/** In characters: what is looked through for secrets, far more than is shown of it. */
const maxLooked = 50_000;
/** More than there are fields; who answers with more doesn't mean to be read. */
const maxItems = 100;

/** The platform answered with a code that is no success. */
export class ResponseError extends ActionError {
  override readonly name = "ResponseError";
  readonly hint: string;
  override readonly items: readonly string[];
  readonly status: number;
  /** Whether the body is JSON: a 404 that isn't came from something else than the API (contract, 3.1). */
  readonly json: boolean;
  /** Milliseconds, where a `Retry-After` asked for a pause. */
  readonly pauseMs: number | undefined;

  /** `redact` takes secrets out of the platform's words, before they are cut: a part of a secret isn't found again. */
  constructor(
    request: RequestName,
    answer: HttpResponse,
    pauseMs: number | undefined,
    hints: Hints,
    redact: (text: string) => string,
  ) {
    const body = parseJson(answer.text);
    const items = validationItems(body, redact);
    const words = items.length > 0 ? items.join("; ") : platformWords(answer, body, redact);
    super(
      `${request.method} ${request.url.pathname} was answered with ${answer.status}: ${sanitizeSentence(words, 2000)}`,
    );
    this.status = answer.status;
    this.json = body !== undefined;
    this.items = items.length > 1 ? items : [];
    this.pauseMs = pauseMs;
    this.hint = hintFor(answer.status, this.json, hints);
  }
}

/** The platform answered with success, but without what is needed to go on. */
export class UnexpectedAnswerError extends ActionError {
  override readonly name = "UnexpectedAnswerError";
  readonly hint: string;

  constructor(request: RequestName, status: number, what: string, hints: Hints) {
    super(`${request.method} ${request.url.pathname} was answered with ${status}, but ${what}.`);
    this.hint = hints.unexpected;
  }
}

/** What an answer that is no success says, made inert and cut. `redact` as in `ResponseError`. */
export function responseText(answer: HttpResponse, redact: (text: string) => string): string {
  return platformWords(answer, parseJson(answer.text), redact);
}

/** What each item of a 422 says: where (`loc`) and what (`msg`). Empty where the body is of another shape. */
function validationItems(body: unknown, redact: (text: string) => string): string[] {
  const parsed = v.safeParse(ValidationErrorSchema, body);
  const items = parsed.success ? (parsed.output.detail ?? []) : [];
  return items
    .slice(0, maxItems)
    .map(({ loc, msg }) =>
      sanitizeExcerpt(redact(`${loc.join(".")}: ${msg}`.slice(0, maxLooked)), excerptLength),
    );
}

const TextDetailSchema = v.looseObject({ detail: v.string() });

function platformWords(answer: HttpResponse, body: unknown, redact: (text: string) => string): string {
  const location = answer.headers.location;
  if (answer.status >= 300 && answer.status < 400) {
    return `a redirect${location === undefined ? "" : ` to ${sanitizeExcerpt(redact(location), 200)}`}, which is not followed`;
  }
  const detail = v.safeParse(TextDetailSchema, body);
  const text = redact((detail.success ? detail.output.detail : answer.text).slice(0, maxLooked));
  const words = sanitizeExcerpt(detail.success ? text : withoutTags(text), excerptLength);
  return words === "" ? "(no text)" : words;
}

/** An HTML page as its text, roughly: it is only quoted in a message. */
function withoutTags(text: string): string {
  const start = text.slice(0, 20_000);
  if (!/^\s*</.test(start)) return start;
  return start
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}
