import type { Failure } from "../../errors.ts";
import { ConnectionError } from "../../http/connection-error.ts";
import { lacksCheckpointer, type Mismatch, type Received, type SmokeFinding } from "../../results/watch.ts";
import { asObject, parseJsonObject } from "../../text/json.ts";
import { below, code, hiding, input, type Message, quote, shortened, text } from "../../text/message.ts";
import { type DescribedFinding, describeExpectation, describeReceived } from "./evidence.ts";

/** What came of a smoke test. */
export function describeSmokeTest(finding: SmokeFinding): DescribedFinding {
  const { request, count, mismatches, secrets } = finding;
  const graph = request.graph === undefined ? undefined : text`graph ${code(request.graph, 100)}`;
  const line = text`${code(`${request.method} ${request.path}`)}`;
  const sent = graph === undefined ? line : text`${line} (${graph})`;
  const asked = graph ?? line;
  const passes = count.of === 1 ? undefined : text`${count.passed} of ${count.of} passed`;
  const [first] = mismatches;
  if (count.passed >= count.needed || first === undefined) {
    return { what: passes === undefined ? asked : text`${asked}, ${passes}` };
  }
  const isError = first.expected.kind === "no_error";
  // Nothing else is to be expected of a run that failed.
  const shown = isError ? [first] : mismatches;
  const expected = shown.map((mismatch) => hiding(describeExpectation(mismatch.expected), secrets));
  const received = shown.map((mismatch) => hiding(describeReceived(mismatch.received), secrets));
  const needed = passes && text`${passes}, but ${count.needed} must: `;
  const answer = answerIn(first.received);
  const briefly = describeBriefly(isError ? firstLine(first.received) : first.received, answer);
  const difference = describeDifference(first, expected[0], hiding(briefly, secrets));
  const { message } = answer;
  const lastMessage = message === undefined ? undefined : hiding(text`${quote(message, 500)}`, secrets);
  return {
    what: text`${needed}${difference}`,
    hint: smokeTestHint(first, request),
    evidence: { request: sent, expected, lastMessage, received },
  };
}

function describeDifference(
  { expected: { kind } }: Mismatch,
  expected: Message | undefined,
  received: Message,
): Message {
  if (kind === "no_error") return text`the run failed with ${received}`;
  return kind === "response" ? received : text`expected ${expected}, received ${received}`;
}

/** Of what an annotation quotes of a response, in characters. */
const maxBriefLength = 150;

interface Answer {
  readonly message?: string;
  readonly rest?: string;
}

/** What the agent wrote last, in a state that was received: its last message, or the rest if that is only the question. */
function answerIn(received: Received): Answer {
  const { messages, ...rest } = (received.kind === "text" && parseJsonObject(received.text)) || {};
  const last = Array.isArray(messages) ? asObject(messages.at(-1)) : undefined;
  const isQuestion = last !== undefined && ["human", "user"].includes(String(last.type ?? last.role));
  // The graph writes its answer to another key.
  if (isQuestion && Object.keys(rest).length > 0) return { rest: JSON.stringify(rest) };
  return typeof last?.content === "string" && last.content.trim() !== "" ? { message: last.content } : {};
}

/** What was received, short enough for a sentence. */
function describeBriefly(received: Received, { message, rest }: Answer): Message {
  if (received.kind === "text" && received.isElsewhere) return text`nothing there`;
  if (message !== undefined) return text`the last message ${quote(message, maxBriefLength)}`;
  const shown: Received = rest === undefined ? received : { kind: "text", text: rest };
  return shortened(describeReceived(shown), maxBriefLength);
}

/** What follows the message of an error, such as where to read about it, is shown with the evidence. */
function firstLine(received: Received): Received {
  return received.kind === "text"
    ? { ...received, text: received.text.trim().split("\n", 1)[0] ?? "" }
    : received;
}

const hint = text`Compare the expected and received responses ${below}, and read the deploy log. If the test is wrong, correct ${input("smoke_tests")}. Otherwise, fix the agent.`;

/** After "fix". */
const raisedError = text`the error that the agent raised, or the input of the test.`;

/** Such as `KeyError: 'MODEL_NAME'`, `OPENAI_TOKEN is not set` or `The api_key client option must be set`. */
const lacksVariable =
  /KeyError: '[A-Z]|\b[A-Z\d_]+_(?:KEY|TOKEN|SECRET|PASSWORD|URL|URI|ID)\b|\b(?:variable|secret)\b|\bapi[ _-]?key\b|\bcredentials?\b|\b401\b|\b[Uu]nauthorized\b/;

/** What to do about a response 401 or 403. `hasHeaders`: whether the inputs set any. */
function describeRefused(hasHeaders: boolean): Message {
  const key = hasHeaders
    ? text`Check the key in ${input("agent_headers")} or in the ${code("headers")} of the test: it may have expired, or belong to a different region or workspace.`
    : text`If the agent requires a key, set ${input("agent_headers")}, or ${code("headers")} in the test.`;
  return text`${key} If the test expects this refusal, set ${code("expect.status")}.`;
}

const pauseHints = {
  missing: text`The run ended without a pause. If that is right, remove ${code("interrupted: true")} from the test. Otherwise, fix the agent.`,
  unexpected: text`The run paused: a node waits for a person. If that is right, set ${code("expect: { interrupted: true }")} in the test. Otherwise, fix the agent.`,
};

function smokeTestHint(mismatch: Mismatch, request: SmokeFinding["request"]): Message {
  const { expected, received } = mismatch;
  if (received.kind === "no_response") return describeNoResponse(received.error);
  if (received.kind === "response") return describeStatusHint(received.response.status, request);
  if (lacksCheckpointer(mismatch)) {
    return text`The vendor's JavaScript server for local use can't interrupt a run that has no thread. On the platform, the run pauses without an error, and a test of it needs ${code("expect: { interrupted: true }")}. Leave out this test on your own machine.`;
  }
  if (expected.kind === "no_error") {
    return received.kind === "text" && lacksVariable.test(received.text)
      ? text`If a variable is missing or wrong, correct it in the ${input("secrets")} of the workflow that deploys the agent. Otherwise, fix ${raisedError}`
      : text`Fix ${raisedError}`;
  }
  return expected.kind === "interrupt" ? pauseHints[expected.wanted ? "missing" : "unexpected"] : hint;
}

function describeNoResponse(error: Failure): Message {
  return error instanceof ConnectionError && error.kind === "timeout"
    ? text`To give the response more time, raise ${code("max_seconds")}. Otherwise, read the deploy log.`
    : error.ending.hint;
}

/** What to do about a status that the test does not expect. */
function describeStatusHint(status: number, { graph, hasHeaders }: SmokeFinding["request"]): Message {
  if (status === 401 || status === 403) return describeRefused(hasHeaders);
  return status === 404 && graph !== undefined
    ? text`Check that ${code(graph, 100)} is one of the ${code("graphs")} in the agent's configuration file. ${hint}`
    : hint;
}
