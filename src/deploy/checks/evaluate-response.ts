import { isDeepStrictEqual } from "node:util";
import type { HttpResponse } from "../../http/request.ts";
import { responseText } from "../../http/response-error.ts";
import type { SmokeTest } from "../../inputs/smoke-test.ts";
import { asObject, parseJson } from "../../text/json.ts";
import { resolvePointer, unescapePointer } from "../../text/json-pointer.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { closestPlace, excerptAround, firstDifference } from "./excerpt.ts";
import { matchesPattern } from "./matches.ts";

/** What a response should be, and what it is. Redacted, sanitized and cut. */
export interface Mismatch {
  readonly expected: string;
  readonly received: string;
}

type Redact = (text: string) => string;

/** What is wrong with a response to a smoke test; empty if nothing is (docs/specification.md#smoke-tests). */
export async function judge(
  test: Pick<SmokeTest, "expected" | "run">,
  response: HttpResponse,
  redact: Redact,
): Promise<readonly Mismatch[]> {
  const unusable = judgeStatus(test, response, redact) ?? judgeEncoding(response, redact);
  if (unusable !== undefined) return [unusable];
  const { text } = response;
  const json = parseJson(text);
  return [
    ...(test.run === undefined ? [] : judgeRun(json, test.run.interrupted, text, redact)),
    ...judgeTexts(test, text, redact),
    ...(await judgePattern(test, text, redact)),
    ...judgeJson(test, json, redact),
  ];
}

function judgeStatus(
  { expected }: Pick<SmokeTest, "expected">,
  response: HttpResponse,
  redact: Redact,
): Mismatch | undefined {
  const { status } = response;
  const isExpected =
    expected.status === undefined ? status >= 200 && status < 300 : status === expected.status;
  if (isExpected) return undefined;
  return {
    expected: expected.status === undefined ? "a 2xx status" : `status ${expected.status}`,
    received: `${status}, ${responseText(response, redact)}`,
  };
}

/** The request asks for no encoding, and nothing decodes it. */
function judgeEncoding({ headers }: HttpResponse, redact: Redact): Mismatch | undefined {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return undefined;
  return {
    expected: "a response without content encoding",
    received: `content-encoding ${quoted(encoding, redact)}`,
  };
}

/** A run that failed or was interrupted has status 200 too. */
function judgeRun(json: unknown, interrupted: boolean, text: string, redact: Redact): Mismatch[] {
  const state = asObject(json);
  if (state === undefined) {
    return [{ expected: "the final state of the run, as a JSON object", received: startOf(text, redact) }];
  }
  const { __error__: error, __interrupt__: interrupt } = state;
  if (error !== undefined && error !== null) {
    return [{ expected: "a run without __error__", received: shownError(error, redact) }];
  }
  const isInterrupted = !isEmpty(interrupt);
  if (isInterrupted === interrupted) return [];
  return [
    isInterrupted
      ? { expected: "a run without __interrupt__", received: `__interrupt__ ${shownJson(interrupt, redact)}` }
      : { expected: "a run with __interrupt__", received: startOf(text, redact) },
  ];
}

/** Servers before 0.15 send an empty list of interrupts with runs that were not interrupted. */
function isEmpty(interrupt: unknown): boolean {
  if (interrupt === undefined || interrupt === null) return true;
  return typeof interrupt === "object" && Object.keys(interrupt).length === 0;
}

/** What a failed run says, as agent servers say it: by `error` and `message`. */
function shownError(value: unknown, redact: Redact): string {
  const { error, message } = asObject(value) ?? {};
  if (typeof error === "string" && typeof message === "string") return quoted(`${error}: ${message}`, redact);
  return `__error__ ${shownJson(value, redact)}`;
}

function judgeTexts({ expected }: Pick<SmokeTest, "expected">, text: string, redact: Redact): Mismatch[] {
  const missing = expected.contains.filter((wanted) => !text.includes(wanted));
  return missing.map((wanted) => ({
    expected: `contains ${quoted(wanted, redact)}`,
    received: excerptAround(text, (one) => closestPlace(one, wanted), redact) || nothing,
  }));
}

async function judgePattern(
  { expected: { matches } }: Pick<SmokeTest, "expected">,
  text: string,
  redact: Redact,
): Promise<Mismatch[]> {
  if (matches === undefined) return [];
  const result = await matchesPattern(matches, text);
  if (result === true) return [];
  const received = result === false ? startOf(text, redact) : result;
  return [
    {
      expected: `matches ${sanitizeExcerpt(redactEscaped(matches, withoutBackslashes, redact), maxLength)}`,
      received,
    },
  ];
}

function judgeJson({ expected }: Pick<SmokeTest, "expected">, json: unknown, redact: Redact): Mismatch[] {
  return [...expected.json].flatMap(([pointer, wanted]) => {
    const actual = resolvePointer(json, pointer);
    if (isDeepStrictEqual(actual, wanted)) return [];
    const place = sanitizeExcerpt(redactEscaped(pointer, unescapePointer, redact), 100);
    return [
      {
        expected: `json ${place}: ${shownJson(wanted, redact)}`,
        received: json === undefined ? "a response that is not JSON" : shownJson(actual, redact, wanted),
      },
    ];
  });
}

/** A text without secrets, in which a secret may be escaped. If it is, the text is returned without any escapes. */
function redactEscaped(text: string, decode: (text: string) => string, redact: Redact): string {
  const plain = decode(text);
  const redacted = redact(plain);
  return redacted === plain ? redact(text) : redacted;
}

function withoutBackslashes(pattern: string): string {
  return pattern.replace(/\\(.)/gs, "$1");
}

const maxLength = 200;
const nothing = "nothing";

function quoted(text: string, redact: Redact): string {
  return `"${sanitizeExcerpt(redact(text), maxLength)}"`;
}

function startOf(text: string, redact: Redact): string {
  return excerptAround(text.trimStart(), () => 0, redact) || nothing;
}

/** A value as JSON, around the first difference to what was wanted. */
function shownJson(value: unknown, redact: Redact, wanted?: unknown): string {
  if (value === undefined) return nothing;
  const other = JSON.stringify(wanted ?? null);
  return excerptAround(JSON.stringify(value), (text) => firstDifference(text, other), redact);
}
