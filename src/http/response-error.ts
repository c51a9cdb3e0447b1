import * as v from "valibot";
import { Failure } from "../errors.ts";
import { parseJson, withoutIndentation } from "../text/json.ts";
import { code, type Message, quoteSentence, text } from "../text/message.ts";
import { type ConnectionError, requestTitle } from "./connection-error.ts";
import type { HttpResponse } from "./request.ts";

export interface ResponseFailure {
  /** `unexpected`: a success without what is needed to go on. */
  readonly kind: "redirect" | "refused" | "unexpected";
  readonly status: number;
  /** Whether the API itself refused the request: a 404 whose body is not JSON came from something else. */
  readonly isFromApi: boolean;
}

interface ResponseParts extends ResponseFailure {
  /** The delay that the server asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly hint: Message;
  readonly problems?: readonly Message[];
}

/** A response that is no success, or a success without what is needed to go on. */
export class ResponseError extends Failure implements ResponseFailure {
  override readonly name = "ResponseError";
  readonly kind: ResponseFailure["kind"];
  readonly status: number;
  readonly isFromApi: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    message: Message,
    { kind, status, isFromApi, retryAfterMs, hint, problems = [] }: ResponseParts,
  ) {
    super(message, { hint, problems });
    this.kind = kind;
    this.status = status;
    this.isFromApi = isFromApi;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What to do after a failed request: only the owner of an API knows the inputs. */
export type HintFor = (failure: ConnectionError | ResponseFailure) => Message;

export function failedResponse(response: HttpResponse, hintFor: HintFor): ResponseError {
  const { request, status, headers } = response;
  const body = parseJson(response.text);
  const problems = validationProblems(body);
  const words = problems[0] ?? describeResponse(response);
  const what = problems.length > 1 ? text`${problems.length} validation errors` : words;
  const kind = isRedirect(status) ? "redirect" : "refused";
  const failure = { kind, status, isFromApi: body !== undefined } as const;
  return new ResponseError(text`${requestTitle(request)} failed with ${status}: ${what}.`, {
    ...failure,
    retryAfterMs: retryAfterMs(headers["retry-after"], serverTime(headers)),
    hint: hintFor(failure),
    problems: problems.length > 1 ? problems : [],
  });
}

/** The error for a success that is of no use. `what`: what is wrong with it, as a part of a sentence. */
export function unexpectedResponse(
  { request, status }: Pick<HttpResponse, "request" | "status">,
  what: Message,
  hintFor: HintFor,
): ResponseError {
  const failure = { kind: "unexpected", status, isFromApi: false } as const;
  const message = text`${requestTitle(request)} returned ${status}, but ${what}.`;
  return new ResponseError(message, { ...failure, hint: hintFor(failure) });
}

/** When the server sent these headers by its own clock, in milliseconds since the epoch; NaN if it does not say so. */
export function serverTime({ date = "" }: HttpResponse["headers"]): number {
  return Date.parse(date);
}

/**
 * The delay that a `Retry-After` header asks for, in milliseconds: seconds, or a date on the clock that shows `nowMs`
 * (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3). Undefined for anything else.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const delayMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return delayMs >= 0 ? delayMs : undefined;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

const ValidationErrorSchema = v.looseObject({
  detail: v.array(v.looseObject({ loc: v.array(v.union([v.string(), v.number()])), msg: v.string() })),
});

/** Where (`loc`) and what (`msg`) each item of a 422 says; empty for another body. */
function validationProblems(body: unknown): Message[] {
  const parsed = v.safeParse(ValidationErrorSchema, body);
  if (!parsed.success) return [];
  return parsed.output.detail.map(({ loc, msg }) =>
    loc.length === 0 ? text`${quoted(msg)}` : text`${code(loc.join("."))}: ${quoted(msg)}`,
  );
}

const TextDetailSchema = v.looseObject({ detail: v.string() });

/** What an unsuccessful response says, as a part of a sentence. */
export function describeResponse({ status, headers, text: body }: HttpResponse): Message {
  if (isRedirect(status)) {
    // The query may be a credential, such as the signature of an upload address.
    const location = headers.location?.replace(/[?#].*$/s, "");
    const target = location === undefined ? undefined : text` to ${code(location)}`;
    return text`a redirect${target}, which is not followed`;
  }
  const parsed = v.safeParse(TextDetailSchema, parseJson(body));
  const words = parsed.success ? parsed.output.detail : withoutTags(withoutIndentation(body));
  if (words.trim() !== "") return text`${quoted(words)}`;
  return body.trim() === "" ? text`the response is empty` : text`the response contains no text`;
}

/** More than is shown or searched for secrets, in characters. */
const maxWordsLength = 55_000;

/** Words of a server within a sentence, so without a full stop of their own. */
function quoted(words: string) {
  return quoteSentence(withoutValues(words.slice(0, maxWordsLength)));
}

/**
 * The text without the values of secrets (`{"name": …, "value": …}`), which some platforms show: as JSON, as JSON within JSON,
 * or as Python writes it, also if the text is cut.
 */
function withoutValues(words: string): string {
  return words
    .replace(/("value"\s*:\s*")(?:[^"\\]|\\.)*/gs, "$1***")
    .replace(/(\\"value\\"\s*:\s*\\")(?:[^"\\]|\\\\\\"|\\[^"])*/gs, "$1***")
    .replace(/('value'\s*:\s*")(?:[^"\\]|\\.)*/gs, "$1***")
    .replace(/('value'\s*:\s*')(?:[^'\\]|\\.)*/gs, "$1***");
}

/** The text of an HTML page, roughly, for a message that quotes it. In linear time, because a server writes the page. */
function withoutTags(page: string): string {
  const start = page.slice(0, maxWordsLength);
  if (!/^\s*</.test(start)) return start;
  return start
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ");
}
