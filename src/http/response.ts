import * as v from "valibot";
import { isObject, parseJson, withoutIndentation } from "../text/json.ts";
import { code, type Phrase, phrase, quoteSentence, text } from "../text/message.ts";
import { type RequestError, type RequestInfo, requestFailure, requestTitle } from "./request-error.ts";

interface ResponseHead {
  readonly request: RequestInfo;
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OpenResponse extends ResponseHead {
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HttpResponse extends ResponseHead {
  readonly body: string;
  /** The body as it was received, which may not be UTF-8. */
  readonly bytes: Uint8Array;
}

/** The largest response that is read. Expected ones are far smaller. */
const maxBytes = 64_000_000;

/** Reads a response completely. @throws RequestError if it is larger than 64 MB */
export async function readText(response: OpenResponse): Promise<HttpResponse> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) {
      throw unexpectedResponseFailure(response, phrase`the body is larger than ${maxBytes / 1_000_000} MB`);
    }
  }
  const bytes = Buffer.concat(chunks);
  return { ...response, body: bytes.toString("utf8"), bytes };
}

export function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isUnauthorized(status: number): boolean {
  return status === 401 || status === 403;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** @throws RequestError if the response is no success */
export function requireSuccess(response: HttpResponse): HttpResponse {
  const { request, status, headers } = response;
  if (isSuccessful(status)) return response;
  const json = parseJson(response.body);
  const problems = validationProblems(json, request);
  const isSeveral = problems.length > 1;
  const problem = isSeveral
    ? text`${problems.length} validation errors`
    : (problems[0] ?? describeResponse(response));
  throw requestFailure(
    request,
    text`${requestTitle(request)} failed with ${status}: ${problem}.`,
    { kind: "response", status, isFromApi: isObject(json), retryAfterMs: retryAfterMs(headers) },
    { problems: isSeveral ? problems.map((message) => ({ message: text`${message}.` })) : [] },
  );
}

/** Returns the parsed JSON of a success. @throws RequestError if the schema does not accept it */
export function parseBody<Schema extends v.GenericSchema>(
  response: HttpResponse,
  schema: Schema,
): v.InferOutput<Schema> {
  const json = parseJson(response.body);
  const parsed = v.safeParse(schema, json, { abortEarly: true });
  if (parsed.success) return parsed.output;
  if (json === undefined) throw unexpectedResponseFailure(response, phrase`the body is not JSON`);
  const path = v.getDotPath(parsed.issues[0]);
  const place = path === null ? phrase`the body` : code(path, 100);
  throw unexpectedResponseFailure(response, phrase`${place} is not what the API describes`);
}

/** Returns the error for a success with unusable content. */
export function unexpectedResponseFailure(
  { request, status }: Pick<ResponseHead, "request" | "status">,
  problem: Phrase,
): RequestError {
  const message = text`${requestTitle(request)} returned ${status}, but ${problem}.`;
  return requestFailure(request, message, { kind: "response", status, isFromApi: false, retryAfterMs: 0 });
}

/** During a longer delay, the run would not notice any changes. */
const maxRetryAfterMs = 60_000;

/**
 * Returns the delay that a `Retry-After` header asks for. It holds seconds, or a date by the server's clock
 * (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
 */
function retryAfterMs({ "retry-after": after = "", date = "" }: ResponseHead["headers"]): number {
  const delayMs = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.parse(date);
  return delayMs > 0 ? Math.min(delayMs, maxRetryAfterMs) : 0;
}

const ValidationErrorSchema = v.looseObject({
  detail: v.array(v.looseObject({ loc: v.array(v.union([v.string(), v.number()])), msg: v.string() })),
});

/** Returns the place (`loc`) and the text (`msg`) of each item of a 422; empty for another body. */
function validationProblems(json: unknown, request: RequestInfo): Phrase[] {
  const parsed = v.safeParse(ValidationErrorSchema, json);
  if (!parsed.success) return [];
  return parsed.output.detail.map(({ loc, msg }) =>
    loc.length === 0
      ? quoted(msg, request)
      : phrase`${code(withoutValues(loc.join("."), request))}: ${quoted(msg, request)}`,
  );
}

const TextDetailSchema = v.looseObject({ detail: v.string() });

/** Describes an unsuccessful response, in the server's own words if it has any. */
export function describeResponse({ request, status, headers, body }: HttpResponse): Phrase {
  if (isRedirect(status)) {
    // The query may be a credential, such as the signature of an upload address.
    const location = headers.location?.replace(/[?#].*$/s, "");
    const to = location === undefined ? undefined : phrase` to ${code(location)}`;
    return phrase`a redirect${to}, which is not followed`;
  }
  const parsed = v.safeParse(TextDetailSchema, parseJson(body));
  const words = parsed.success ? parsed.output.detail : withoutIndentation(body);
  return words.trim() === "" ? phrase`the response contains no text` : quoted(words, request);
}

/** The longest kept part of a server's words, in characters: more than is shown or searched for secrets. */
const maxWordsLength = 55_000;

function quoted(words: string, request: RequestInfo) {
  return quoteSentence(withoutValues(words.slice(0, maxWordsLength), request));
}

/**
 * Redacts the values of variables (`{"name": …, "value": …}`), which some platforms repeat in errors: as JSON, as JSON within
 * JSON, or in the notation of Python, also if the text is cut. Values that are no secrets stay.
 */
function withoutValues(words: string, { publicValues = [] }: RequestInfo): string {
  const escaped = (value: string) => JSON.stringify(value).slice(1, -1);
  const shown = new Set(publicValues.flatMap((value) => [value, escaped(value), escaped(escaped(value))]));
  const redact = (match: string, start: string, value: string) => (shown.has(value) ? match : `${start}***`);
  return words
    .replace(
      /(["']value["']\s*:\s*(["']))((?:(?!\2)[^\\]|\\.)*)/gs,
      (match: string, start: string, _quote: string, value: string) => redact(match, start, value),
    )
    .replace(/(\\"value\\"\s*:\s*\\")((?:[^"\\]|\\\\\\"|\\[^"])*)/gs, redact);
}
