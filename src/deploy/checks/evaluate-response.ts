import { isDeepStrictEqual } from "node:util";
import { type HttpResponse, isSuccessful } from "../../http/request.ts";
import type { Expected, SmokeTest } from "../../inputs/smoke-test.ts";
import type { Expectation, Mismatch, Received } from "../../results/watch.ts";
import { asObject, parseJson, parseJsonObject, resolvePointer, withoutIndentation } from "../../text/json.ts";
import { containsPart, matchPattern, maxPatternMs } from "../../text/search.ts";

/** How much of a response is carried along, in characters: more than is searched for secrets. */
const maxLength = 100_000;

/** What is wrong with a response to a smoke test; empty if nothing is (docs/specification.md#smoke-tests). */
export function evaluateResponse(
  { expected, run }: Pick<SmokeTest, "expected" | "run">,
  response: HttpResponse,
): Mismatch[] {
  const { status, headers, text: body } = response;
  const isExpected = expected.status === undefined ? isSuccessful(status) : status === expected.status;
  if (!isExpected) {
    const received = { kind: "response", response: { ...response, text: body.slice(0, maxLength) } } as const;
    return [{ expected: { kind: "status", status: expected.status }, received }];
  }
  // The request asks for no encoding, and nothing decodes it.
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    return [{ expected: { kind: "no_encoding" }, received: received(`content-encoding: ${encoding}`) }];
  }
  const json = parseJson(body);
  return [
    ...(run === undefined ? [] : evaluateRun(json, run.interrupted, body)),
    ...evaluateTexts(expected.contains, json, body),
    ...evaluatePattern(expected.matches, body),
    ...evaluateJson(expected.json, json, body),
  ];
}

function received(text: string): Extract<Received, { kind: "text" }> {
  return { kind: "text", text: withoutIndentation(text.trim()).slice(0, maxLength) };
}

/** A run that failed or was interrupted has status 200 too. */
function evaluateRun(json: unknown, interrupted: boolean, body: string): Mismatch[] {
  const state = asObject(json);
  if (state === undefined) return [{ expected: { kind: "final_state" }, received: received(body) }];
  const { __error__: error, __interrupt__: interrupt } = state;
  if (error !== undefined && error !== null) {
    return [{ expected: { kind: "no_error", interrupted }, received: received(errorText(error)) }];
  }
  const isInterrupted = !isEmpty(interrupt);
  if (isInterrupted === interrupted) return [];
  const expected: Expectation = { kind: "interrupt", wanted: interrupted };
  const excerpt = isInterrupted ? JSON.stringify({ __interrupt__: interrupt }) : body;
  return [{ expected, received: received(excerpt) }];
}

/** Servers before 0.15 send an empty list of interrupts with runs that were not interrupted. */
function isEmpty(interrupt: unknown): boolean {
  if (interrupt === undefined || interrupt === null) return true;
  return typeof interrupt === "object" && Object.keys(interrupt).length === 0;
}

/** What a failed run says, as agent servers say it: by `error` and `message`. */
function errorText(value: unknown): string {
  const { error, message: sent } = asObject(value) ?? {};
  // The vendor's server in JavaScript sends the whole error as the message.
  const message = typeof sent === "string" ? (parseJsonObject(sent)?.message ?? sent) : sent;
  const isSaid = typeof error === "string" && typeof message === "string";
  return isSaid ? `${error}: ${message}` : JSON.stringify({ __error__: value });
}

function evaluateTexts(wanted: readonly string[], json: unknown, body: string): Mismatch[] {
  return wanted
    .filter((part) => !containsPart(body, json, part))
    .map((value) => ({ expected: { kind: "contains", value }, received: received(body) }));
}

function evaluatePattern(pattern: string | undefined, body: string): Mismatch[] {
  const isMatch = pattern === undefined || matchPattern(pattern, body);
  if (isMatch === true) return [];
  return [
    {
      expected: { kind: "matches", value: pattern },
      received: isMatch === false ? received(body) : { kind: "too_slow", limitMs: maxPatternMs },
    },
  ];
}

function evaluateJson(expected: Expected["json"], json: unknown, body: string): Mismatch[] {
  return [...expected].flatMap(([pointer, wanted]) => {
    const actual = resolvePointer(json, pointer);
    if (isDeepStrictEqual(withoutSignOfZero(actual), withoutSignOfZero(wanted))) return [];
    const excerpt = JSON.stringify(actual);
    return [
      {
        expected: { kind: "json", pointer, value: JSON.stringify(wanted) },
        // If nothing is there, all of the response is shown.
        received: excerpt === undefined ? { ...received(body), isElsewhere: true } : received(excerpt),
      },
    ];
  });
}

/** In JSON, -0 and 0 are the same number, which `isDeepStrictEqual` tells apart. */
function withoutSignOfZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutSignOfZero);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutSignOfZero(field)]));
}
