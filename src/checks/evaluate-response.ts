import { isDeepStrictEqual } from "node:util";
import { runInNewContext } from "node:vm";
import type { AgentClient } from "../agent/agent-client.ts";
import { toError } from "../errors.ts";
import { type HttpResponse, isSuccessful, isUnauthorized } from "../http/response.ts";
import { asObject, hasString, parseJson, resolvePointer, withoutIndentation } from "../text/json.ts";
import { code, inputName, type Message, type Phrase, phrase, quote, text } from "../text/message.ts";
import { describeReceived, type Mismatch } from "./check.ts";
import type { SmokeTest } from "./smoke-test.ts";

/** The longest shown part of a response or of an expected value, in characters. */
const maxShownLength = 800;

const compareHint = text`Compare the expected and received responses in the job summary, and read the log of the agent server. If the test is wrong, correct ${inputName("smoke_tests")}. Otherwise, fix the agent.`;

type Hints = Pick<AgentClient, "statusHint" | "urlHint">;

interface Body {
  readonly raw: string;
  /** Undefined if it is not JSON. */
  readonly json: unknown;
}

/** Returns the mismatches of a response to a smoke test; empty if it passes (docs/specification.md#smoke-tests). */
export function evaluateResponse(
  { expect, run }: Pick<SmokeTest, "expect" | "run">,
  response: HttpResponse,
  hints: Hints,
): readonly Mismatch[] {
  const { status } = response;
  const isExpected = expect.status === undefined ? isSuccessful(status) : status === expect.status;
  if (!isExpected) {
    const expected = expect.status === undefined ? phrase`a 2xx status` : phrase`status ${expect.status}`;
    const received = describeReceived({ value: response });
    return [{ expected, received, hint: statusHint(run, response, hints) }];
  }
  const body = { raw: response.body, json: parseJson(response.body) };
  // An error that the test expects does not hold the state of a run.
  const runMismatch = run && isSuccessful(status) ? evaluateRun(run, body, hints) : undefined;
  // A failed run does not meet the other expectations either.
  if (runMismatch !== undefined) return [runMismatch];
  return [
    ...evaluateTexts(expect.contains ?? [], body),
    ...evaluatePattern(expect.matches, body),
    ...evaluateJson(expect.json, body),
  ];
}

function statusHint(run: SmokeTest["run"], { status, body }: HttpResponse, hints: Hints): Message {
  const hint = hints.statusHint(status);
  if (isUnauthorized(status)) {
    return text`${hint} If the test expects this refusal, set ${code("expect.status")}.`;
  }
  if (status < 500 && isPage(body)) return hints.urlHint;
  if (run && (status === 404 || status === 422)) {
    return text`Check the agent's URL, that ${code("graph")} in ${inputName("smoke_tests")} is one of the graphs that the agent serves, and that ${code("input")} fits it.`;
  }
  if (status === 404)
    return text`Check ${code("request")} in ${inputName("smoke_tests")}, and the agent's URL.`;
  return hint ?? compareHint;
}

function isPage(body: string): boolean {
  return /^\s*</.test(body);
}

function excerptOf(body: string): Phrase {
  const excerpt = withoutIndentation(body.trim());
  return excerpt === "" ? phrase`nothing` : code(excerpt, maxShownLength);
}

/** Returns the mismatch in the state of a run. A failed or interrupted run has status 200 too. */
function evaluateRun(
  { interrupted }: NonNullable<SmokeTest["run"]>,
  body: Body,
  { urlHint }: Hints,
): Mismatch | undefined {
  if (body.json === undefined) {
    const expected = phrase`the final state of the run, as JSON`;
    return { expected, received: excerptOf(body.raw), hint: isPage(body.raw) ? urlHint : compareHint };
  }
  const { __error__: error, __interrupt__: interrupt } = asObject(body.json) ?? {};
  if (error !== undefined && error !== null) return runError(error);
  // Servers before 0.15 send an empty list for a run that was not interrupted.
  const isInterrupted = [interrupt ?? []].flat().length > 0;
  if (isInterrupted === interrupted) return undefined;
  return isInterrupted
    ? {
        expected: phrase`a run without ${code("__interrupt__")}`,
        received: excerptOf(JSON.stringify({ __interrupt__: interrupt })),
        hint: text`The run paused: a node waits for a person. If that is right, set ${code("expect: { interrupted: true }")} in the test. Otherwise, fix the agent.`,
      }
    : {
        ...bodyMismatch(phrase`a run with ${code("__interrupt__")}`, body),
        hint: text`The run ended without a pause. If that is right, remove ${code("interrupted: true")} from the test. Otherwise, fix the agent.`,
      };
}

/** Agent servers report the error of a run as `error` and `message`. */
function runError(value: unknown): Mismatch {
  const { error, message } = asObject(value) ?? {};
  const hasBoth = typeof error === "string" && typeof message === "string";
  const words = hasBoth ? withoutIndentation(`${error}: ${message}`) : JSON.stringify({ __error__: value });
  return {
    expected: phrase`a run that ends without an error`,
    received: code(words, maxShownLength),
    hint: text`Fix the error that the agent raised, or the input of the test. If a variable is missing, add it to those of the agent.`,
  };
}

function evaluateTexts(parts: readonly string[], body: Body): Mismatch[] {
  return parts
    .filter((part) => !body.raw.includes(part) && !hasString(body.json, part))
    .map((part) => bodyMismatch(phrase`a response that contains ${quote(part, 200)}`, body));
}

function evaluatePattern(pattern: string | undefined, { raw }: Body): Mismatch[] {
  if (pattern === undefined) return [];
  const expected = phrase`a response that matches ${code(pattern, 200)}`;
  const mismatch = { expected, received: excerptOf(raw), hint: compareHint };
  try {
    const isMatch = runInNewContext("new RegExp(pattern).test(raw)", { pattern, raw }, { timeout: 1000 });
    return isMatch === true ? [] : [mismatch];
  } catch (error) {
    // With certain texts, some expressions never end, and a cancellation could not end them either.
    const words = quote(toError(error).message);
    const hint = text`The expression can't be evaluated: ${words}. Simplify ${code("matches")} in ${inputName("smoke_tests")}.`;
    return [{ ...mismatch, hint }];
  }
}

function bodyMismatch(expected: Phrase, { raw, json }: Body): Mismatch {
  return { expected, received: lastMessage(json) ?? excerptOf(raw), hint: compareHint };
}

/** Returns the last message, if the response is a state with messages. Tests usually expect something of it. */
function lastMessage(json: unknown): Phrase | undefined {
  const messages = asObject(json)?.messages;
  const { content } = asObject(Array.isArray(messages) ? messages.at(-1) : undefined) ?? {};
  // A message of several parts has them as a list.
  const words = typeof content === "string" ? content.trim() : JSON.stringify(content);
  return words ? phrase`the last message ${quote(words, maxShownLength)}` : undefined;
}

function evaluateJson(values: SmokeTest["expect"]["json"], { raw, json }: Body): Mismatch[] {
  return Object.entries(values).flatMap(([pointer, expectedValue]) => {
    const actual = resolvePointer(json, pointer);
    if (isDeepStrictEqual(actual, expectedValue)) return [];
    const atPointer = pointer === "" ? undefined : phrase` at ${code(pointer, 100)}`;
    const expected = phrase`${code(JSON.stringify(expectedValue), maxShownLength)}${atPointer}`;
    const received =
      actual === undefined
        ? phrase`nothing${atPointer} in ${excerptOf(raw)}`
        : phrase`${excerptOf(JSON.stringify(actual))}${atPointer}`;
    return [{ expected, received, hint: compareHint }];
  });
}
