import { isDeepStrictEqual } from "node:util";
import { runInNewContext } from "node:vm";
import type { AgentClient } from "../agent/agent-client.ts";
import {
  describeResponse,
  type HttpResponse,
  isRedirect,
  isRefusal,
  isSuccessful,
} from "../http/response.ts";
import { asObject, parseJson, resolvePointer, withoutIndentation } from "../text/json.ts";
import { code, endOf, inputName, inSummary, type Message, quote, text } from "../text/message.ts";
import type { Mismatch } from "./check.ts";
import type { Expected, SmokeTest } from "./smoke-test.ts";

/** How much of a response is kept, in characters: more than is searched for secrets. */
const maxLength = 100_000;
/** How much of a response or of what was expected is shown, in characters. */
const maxShownLength = 800;

const compareHint = text`Compare the expected and received responses ${inSummary}, and read the log of the agent server. If the test is wrong, correct ${inputName("smoke_tests")}. Otherwise, fix the agent.`;

type AgentHints = Pick<AgentClient, "keyHint" | "addressHint">;

/** Returns how a response to a smoke test is not as expected; empty if it is (docs/specification.md#smoke-tests). */
export function evaluateResponse(
  { expected, run }: Pick<SmokeTest, "expected" | "run">,
  response: HttpResponse,
  hints: AgentHints,
): readonly Mismatch[] {
  const { status, body } = response;
  const isExpected = expected.status === undefined ? isSuccessful(status) : status === expected.status;
  if (!isExpected) return [statusMismatch(expected.status, response, hints)];
  const json = parseJson(body);
  // An error response is no state of a run.
  const runMismatch =
    run && isSuccessful(status) ? evaluateRun(json, run.interrupted, body, hints) : undefined;
  // Nothing else is to be expected of a run that failed.
  if (runMismatch !== undefined) return [runMismatch];
  return [
    ...evaluateTexts(expected.contains, json, body),
    ...evaluatePattern(expected.matches, body),
    ...evaluateJson(expected.json, json, body),
  ];
}

function statusMismatch(wanted: number | undefined, response: HttpResponse, hints: AgentHints): Mismatch {
  const { status } = response;
  const words = describeResponse({ ...response, body: response.body.slice(0, maxLength) });
  return {
    expected: wanted === undefined ? text`a 2xx status` : text`status ${wanted}`,
    received: text`${status}, ${words}`,
    hint: isRefusal(status)
      ? text`${hints.keyHint()} If the test expects this refusal, set ${code("expect.status")}.`
      : isRedirect(status) || isPage(response.body)
        ? hints.addressHint()
        : compareHint,
  };
}

/** Whether a body is a web page. */
function isPage(body: string): boolean {
  return /^\s*</.test(body);
}

/** Returns the response as it is, or its end. */
function excerptOf(body: string): Message {
  const shown = withoutIndentation(body.trim()).slice(-maxLength);
  return shown === "" ? text`nothing` : endOf(shown, maxShownLength);
}

/** Returns how a run is not as expected: one that failed or was interrupted has status 200 too. */
function evaluateRun(
  json: unknown,
  interrupted: boolean,
  body: string,
  hints: AgentHints,
): Mismatch | undefined {
  if (json === undefined) {
    const expected = text`the final state of the run, as JSON`;
    return { expected, received: excerptOf(body), hint: isPage(body) ? hints.addressHint() : compareHint };
  }
  const { __error__: error, __interrupt__: interrupt } = asObject(json) ?? {};
  if (error !== undefined && error !== null) return runError(error);
  const isInterrupted = !isEmpty(interrupt);
  if (isInterrupted === interrupted) return undefined;
  return isInterrupted
    ? {
        expected: text`a run without ${code("__interrupt__")}`,
        received: excerptOf(JSON.stringify({ __interrupt__: interrupt })),
        hint: text`The run paused: a node waits for a person. If that is right, set ${code("expect: { interrupted: true }")} in the test. Otherwise, fix the agent.`,
      }
    : {
        ...bodyMismatch(text`a run with ${code("__interrupt__")}`, body),
        hint: text`The run ended without a pause. If that is right, remove ${code("interrupted: true")} from the test. Otherwise, fix the agent.`,
      };
}

/** Whether a run was not interrupted: servers before 0.15 send an empty list with it. */
function isEmpty(interrupt: unknown): boolean {
  if (interrupt === undefined || interrupt === null) return true;
  return typeof interrupt === "object" && Object.keys(interrupt).length === 0;
}

/** Returns the error of a failed run. Agent servers report it by `error` and `message`. */
function runError(value: unknown): Mismatch {
  const { error, message } = asObject(value) ?? {};
  const isUsual = typeof error === "string" && typeof message === "string";
  return {
    expected: text`a run that ends without an error`,
    received: code(isUsual ? `${error}: ${message}` : JSON.stringify({ __error__: value }), maxShownLength),
    hint: text`Fix the error that the agent raised, or the input of the test. If a variable is missing, add it to the deployment's secrets.`,
  };
}

function evaluateTexts(wanted: readonly string[], json: unknown, body: string): Mismatch[] {
  return wanted
    .filter((part) => !body.includes(part) && !hasString(json, part))
    .map((part) => bodyMismatch(text`a response that contains ${quote(part, 200)}`, body));
}

/** Whether a string in a JSON value contains a part. There, quotes and line ends have no escapes. */
function hasString(value: unknown, part: string): boolean {
  if (typeof value === "string") return value.includes(part);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((inner) => hasString(inner, part));
}

function evaluatePattern(pattern: string | undefined, body: string): Mismatch[] {
  if (pattern === undefined) return [];
  const mismatch = bodyMismatch(text`a response that matches ${code(pattern, 200)}`, body);
  try {
    const isMatch = runInNewContext("new RegExp(pattern).test(body)", { pattern, body }, { timeout: 1000 });
    return isMatch === true ? [] : [mismatch];
  } catch {
    // For certain texts, some expressions take forever, or more memory than they may.
    const hint = text`The expression could not be evaluated within a second. Simplify ${code("matches")} in ${inputName("smoke_tests")}.`;
    return [{ ...mismatch, hint }];
  }
}

function bodyMismatch(expected: Message, body: string): Mismatch {
  return { expected, received: lastMessage(body) ?? excerptOf(body), hint: compareHint };
}

/** Returns what the agent wrote last, if the response is a state with messages: people compare that. */
function lastMessage(body: string): Message | undefined {
  const messages = asObject(parseJson(body))?.messages;
  const { type, role, content } = asObject(Array.isArray(messages) ? messages.at(-1) : undefined) ?? {};
  const isQuestion = ["human", "user"].includes(String(type ?? role));
  if (isQuestion || typeof content !== "string" || content.trim() === "") return undefined;
  return text`the last message ${quote(content, maxShownLength)}`;
}

function evaluateJson(expected: Expected["json"], json: unknown, body: string): Mismatch[] {
  return Object.entries(expected).flatMap(([pointer, wanted]) => {
    const actual = resolvePointer(json, pointer);
    if (isDeepStrictEqual(withOneZero(actual), withOneZero(wanted))) return [];
    const place = pointer === "" ? undefined : text` at ${code(pointer, 100)}`;
    // If nothing is there, all of the response is shown.
    return [
      bodyMismatch(
        text`${code(JSON.stringify(wanted), maxShownLength)}${place}`,
        JSON.stringify(actual) ?? body,
      ),
    ];
  });
}

/** Copies a JSON value. The copy has 0 for -0, as `JSON.stringify` writes it. */
function withOneZero(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
