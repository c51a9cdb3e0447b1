import { isDeepStrictEqual } from "node:util";
import { runInNewContext } from "node:vm";
import { type HttpResponse, isSuccessful } from "../../http/request.ts";
import { describeResponse } from "../../http/response-error.ts";
import type { Expected, SmokeTest } from "../../inputs/smoke-test.ts";
import { asObject, parseJson, resolvePointer } from "../../text/json.ts";
import { code, type Message, quote, text } from "../../text/message.ts";

/** What a response should be, and what it is: parts of a sentence. */
export interface Mismatch {
  readonly expected: Message;
  readonly received: Message;
}

/** What is wrong with a response to a smoke test; empty if nothing is (docs/specification.md#smoke-tests). */
export function evaluateResponse(
  { expected, run }: Pick<SmokeTest, "expected" | "run">,
  response: HttpResponse,
): readonly Mismatch[] {
  const unusable = evaluateStatus(expected.status, response) ?? evaluateEncoding(response);
  if (unusable !== undefined) return [unusable];
  const { text: body } = response;
  const json = parseJson(body);
  return [
    ...(run === undefined ? [] : evaluateRun(json, run.interrupted, body)),
    ...evaluateTexts(expected.contains, body),
    ...evaluatePattern(expected.matches, body),
    ...evaluateJson(expected.json, json),
  ];
}

function evaluateStatus(expected: number | undefined, response: HttpResponse): Mismatch | undefined {
  const { status } = response;
  if (expected === undefined ? isSuccessful(status) : status === expected) return undefined;
  return {
    expected: expected === undefined ? text`a 2xx status` : text`status ${expected}`,
    received: text`${status}, ${describeResponse(response)}`,
  };
}

/** The request asks for no encoding, and nothing decodes it. */
function evaluateEncoding({ headers }: HttpResponse): Mismatch | undefined {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return undefined;
  return {
    expected: text`a response without content encoding`,
    received: text`content-encoding ${quote(encoding, 100)}`,
  };
}

/** A run that failed or was interrupted has status 200 too. */
function evaluateRun(json: unknown, interrupted: boolean, body: string): Mismatch[] {
  const state = asObject(json);
  if (state === undefined) {
    return [{ expected: text`the final state of the run, as a JSON object`, received: startOf(body) }];
  }
  const { __error__: error, __interrupt__: interrupt } = state;
  if (error !== undefined && error !== null) {
    return [{ expected: text`a run without ${code("__error__")}`, received: describeError(error) }];
  }
  const isInterrupted = !isEmpty(interrupt);
  if (isInterrupted === interrupted) return [];
  return [
    isInterrupted
      ? {
          expected: text`a run without ${code("__interrupt__")}`,
          received: text`${code("__interrupt__")} ${describeJson(interrupt)}`,
        }
      : { expected: text`a run with ${code("__interrupt__")}`, received: startOf(body) },
  ];
}

/** Servers before 0.15 send an empty list of interrupts with runs that were not interrupted. */
function isEmpty(interrupt: unknown): boolean {
  if (interrupt === undefined || interrupt === null) return true;
  return typeof interrupt === "object" && Object.keys(interrupt).length === 0;
}

/** What a failed run says, as agent servers say it: by `error` and `message`. */
function describeError(value: unknown): Message {
  const { error, message } = asObject(value) ?? {};
  if (typeof error !== "string" || typeof message !== "string") {
    return text`${code("__error__")} ${describeJson(value)}`;
  }
  return text`${quote(`${error}: ${message}`, 200)}`;
}

function evaluateTexts(wanted: readonly string[], body: string): Mismatch[] {
  return wanted
    .filter((one) => !body.includes(one))
    .map((one) => ({ expected: text`contains ${quote(one, 200)}`, received: startOf(body) }));
}

function evaluatePattern(pattern: string | undefined, body: string): Mismatch[] {
  if (pattern === undefined) return [];
  const result = matchPattern(pattern, body);
  if (result === "match") return [];
  return [
    {
      expected: text`matches ${code(pattern, 200)}`,
      received: result === "no match" ? startOf(body) : result,
    },
  ];
}

/** How long an expression may take, in milliseconds: some take forever for certain texts. */
const maxPatternMs = 1000;

/** Whether a regular expression matches somewhere in a text, or why that can't be said: a part of a sentence. */
export function matchPattern(pattern: string, body: string): "match" | "no match" | Message {
  try {
    // A limit on time exists only for scripts (https://nodejs.org/api/vm.html#scriptrunincontextcontextifiedobject-options).
    const script = "new RegExp(pattern).test(body)";
    const matches: unknown = runInNewContext(script, { pattern, body }, { timeout: maxPatternMs });
    return matches === true ? "match" : "no match";
  } catch {
    return text`the expression takes more than ${maxPatternMs / 1000} s or too much memory`;
  }
}

function evaluateJson(expected: Expected["json"], json: unknown): Mismatch[] {
  return [...expected].flatMap(([pointer, wanted]) => {
    const actual = resolvePointer(json, pointer);
    if (isDeepStrictEqual(actual, wanted)) return [];
    return [
      {
        expected: text`json ${code(pointer, 100)}: ${describeJson(wanted)}`,
        received: json === undefined ? text`a response that is not JSON` : describeJson(actual),
      },
    ];
  });
}

/** How much of a response is shown, and how much is carried along, so that secrets are found: in characters. */
const maxLength = 400;
const maxRawLength = 20_000;

function startOf(body: string): Message {
  const start = body.trimStart().slice(0, maxRawLength);
  return start === "" ? text`nothing` : text`${code(start, maxLength)}`;
}

function describeJson(value: unknown): Message {
  return value === undefined ? text`nothing` : startOf(JSON.stringify(value));
}
