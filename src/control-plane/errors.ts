import * as v from "valibot";
import { ActionError } from "../errors.ts";
import type { RequestName } from "../http/errors.ts";
import type { HttpAnswer } from "../http/exchange.ts";
import { inertExcerpt, inertSentence } from "../text/inert.ts";
import { controlPlaneHints, type Hints, hintFor } from "./hints.ts";
import { ValidationErrorSchema, type ValidationItemSchema } from "./schemas.ts";

const excerptLength = 500;

/** The platform answered with a code that is no success. */
export class AnswerError extends ActionError {
  override readonly name = "AnswerError";
  readonly hint: string;
  override readonly items: readonly string[];
  readonly status: number;
  /** Whether the body is JSON: a 404 that isn't came from something else than the API (contract, 3.1). */
  readonly json: boolean;
  /** Milliseconds, where a `Retry-After` asked for a pause. */
  readonly pauseMs: number | undefined;

  constructor(
    request: RequestName,
    answer: HttpAnswer,
    pauseMs: number | undefined,
    hints: Hints = controlPlaneHints,
  ) {
    const body = parseJson(answer.text);
    const items = validationItems(body);
    const words = items.length > 0 ? items.join("; ") : platformWords(answer, body);
    super(
      `${request.method} ${request.url.pathname} was answered with ${answer.status}: ${inertSentence(words, 2000)}`,
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

  constructor(request: RequestName, status: number, what: string, hints: Hints = controlPlaneHints) {
    super(`${request.method} ${request.url.pathname} was answered with ${status}, but ${what}.`);
    this.hint = hints.unexpected;
  }
}

/** The parsed body, or undefined where it is no JSON. `null` and other scalars count as JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What each item of a 422 says: where (`loc`) and what (`msg`). Empty where the body is of another shape. */
function validationItems(body: unknown): string[] {
  const parsed = v.safeParse(ValidationErrorSchema, body);
  return parsed.success ? (parsed.output.detail ?? []).map(spellItem) : [];
}

function spellItem(item: v.InferOutput<typeof ValidationItemSchema>): string {
  return inertExcerpt(`${item.loc.join(".")}: ${item.msg}`, excerptLength);
}

const TextDetailSchema = v.looseObject({ detail: v.string() });

function platformWords(answer: HttpAnswer, body: unknown): string {
  const location = answer.headers.location;
  if (answer.status >= 300 && answer.status < 400) {
    return `a redirect${location === undefined ? "" : ` to ${inertExcerpt(location, 200)}`}, which is not followed`;
  }
  const detail = v.safeParse(TextDetailSchema, body);
  const words = inertExcerpt(detail.success ? detail.output.detail : withoutTags(answer.text), excerptLength);
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
