import { ConnectionError } from "../../http/connection-error.ts";
import { type HttpResponse, isSuccessful } from "../../http/request.ts";
import { describeResponse } from "../../http/response-error.ts";
import type {
  CheckResult,
  Expectation,
  Finding,
  Mismatch,
  Received,
  ShownRevision,
  UnreachableAgent,
} from "../../results/watch.ts";
import { formatDuration } from "../../text/format.ts";
import { asObject, parseJsonObject } from "../../text/json.ts";
import {
  below,
  code,
  excerpt,
  hiding,
  id,
  input,
  type Message,
  quote,
  shortened,
  text,
  type Value,
  withoutFullStop,
} from "../../text/message.ts";
import { comparisonProblem, summarizeComparison } from "./comparison.ts";

/** What a check found out, for people. */
interface DescribedFinding {
  /** What came of the check, or why it failed, as a part of a sentence. */
  readonly what: Message;
  /** What to do next, after a failure. */
  readonly hint?: Message | undefined;
  /** What a failed check sent, expected and received. */
  readonly evidence?: Evidence;
}

interface Evidence {
  readonly request: Message;
  readonly expected: readonly Message[];
  readonly received: readonly Message[];
}

type FindingOf<Kind extends Finding["kind"]> = Extract<Finding, { kind: Kind }>;

/** What a check found out. */
export function describeFinding({ kind, name, finding }: CheckResult): DescribedFinding {
  switch (finding.kind) {
    case "unreachable": {
      const { why, hint } = describeUnreachable(finding);
      return {
        what: text`${code(finding.path)} can't be requested, because ${why}`,
        hint: text`${hint}, or remove ${inputs[kind]}.`,
      };
    }
    case "health":
      return describeHealth(name, finding);
    case "serving":
      return { what: text`revision ${id(finding.revisionId)} responds` };
    case "superseded":
      return {
        what: text`the newer revision ${id(finding.newerId)} responds in place of ${id(finding.revisionId)}`,
      };
    case "not_serving":
      return describeNotServing(name, finding);
    case "smoke_test":
      return describeSmokeTest(finding);
    case "compared":
      return comparisonProblem(finding.result) ?? { what: summarizeComparison(finding.result) };
  }
}

/** The input that asks for a check, as messages name it. */
const inputs: Readonly<Record<CheckResult["kind"], Value>> = {
  "health check": input("health_check_path"),
  "serving check": code("serving_check: require"),
  "smoke test": input("smoke_tests"),
  comparison: input("compare_with"),
};

/** Why an agent can't be requested, as a part of a sentence, and what to do, without a full stop. */
export function describeUnreachable({ why }: UnreachableAgent): {
  readonly why: Message;
  readonly hint: Message;
} {
  return why === "no_url"
    ? {
        why: text`the platform does not report the deployment's URL`,
        hint: text`Set ${input("custom_url")} if the deployment has a URL of its own`,
      }
    : {
        why: text`the deployment's URL is a plain http: address`,
        hint: text`Set ${code("allow_http: true")} for a plain http: address of a private network`,
      };
}

function describeHealth(path: string, finding: FindingOf<"health">): DescribedFinding {
  const { response, timeoutMs } = finding;
  const last = describeHealthResponse(finding);
  if ("value" in response && isSuccessful(response.value.status)) return { what: last };
  return {
    what: text`no 2xx response within ${code(formatDuration(timeoutMs))}. Last response: ${last}`,
    hint: text`Check ${input("health_check_path")} and the server's logs on the platform. The request carries no credentials except ${input("agent_headers")}. To give the deployment more time, raise ${input("health_check_timeout_seconds")}.`,
    evidence: {
      request: text`${code(`GET ${path}`)}`,
      expected: [describeExpectation({ kind: "status", status: undefined })],
      received: [last],
    },
  };
}

/** What came back from a health check, as a part of a sentence. */
export function describeHealthResponse({
  response,
  secrets,
}: Pick<FindingOf<"health">, "response" | "secrets">): Message {
  if ("error" in response) return withoutFullStop(response.error.text);
  const { request, status } = response.value;
  const words = isSuccessful(status) ? text`${status}` : describeStatus(response.value);
  return hiding(text`${code(`GET ${request.url.pathname}`)}: ${words}`, secrets);
}

function describeStatus(response: HttpResponse): Message {
  return text`${response.status}, ${describeResponse(response)}`;
}

const revisionField = code("host.host_revision_id");

/** Which revision responded to a request of `/info`, as a part of a sentence. */
export function describeShown(shown: ShownRevision): Message {
  if ("error" in shown) return withoutFullStop(shown.error.text);
  const { revisionId, status } = shown.value;
  return revisionId === undefined
    ? text`${code("GET /info")} returned ${status} without ${revisionField}`
    : text`revision ${id(revisionId)} responds`;
}

/** The time is up, and this run's revision was not seen to respond. */
function describeNotServing(path: string, finding: FindingOf<"not_serving">): DescribedFinding {
  const { revisionId, last, lastShown, timeoutMs } = finding;
  const lastId = "value" in last ? last.value.revisionId : undefined;
  const before = lastShown && text`; before that, ${describeShown(lastShown)}`;
  const other = lastId === undefined ? undefined : text`, not ${id(revisionId)}`;
  return {
    what: text`after ${code(formatDuration(timeoutMs))}, ${describeShown(last)}${other}${before}`,
    hint:
      lastShown === undefined && lastId === undefined
        ? text`Check that the agent server reports ${revisionField} at ${code(path)}. If it requires a key, check ${input("agent_headers")}. To accept a server that does not report its revision, set ${code("serving_check: auto")}.`
        : text`Check the deployment on the platform. To give the switch to the new revision more time, raise ${input("health_check_timeout_seconds")}.`,
    evidence: {
      request: text`${code(`GET ${path}`)}`,
      expected: [text`${revisionField}: ${id(revisionId)}, twice in a row`],
      received: [text`${describeShown(last)}${before}`],
    },
  };
}

function describeSmokeTest(finding: FindingOf<"smoke_test">): DescribedFinding {
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
  const expected = mismatches.map((mismatch) => hiding(describeExpectation(mismatch.expected), secrets));
  const received = mismatches.map((mismatch) => hiding(describeReceived(mismatch.received), secrets));
  const needed = passes && text`${passes}, but ${count.needed} must: `;
  const brief = hiding(describeBriefly(first.received), secrets);
  const difference =
    first.expected.kind === "no_error"
      ? text`the run failed with ${brief}`
      : text`expected ${expected[0]}, received ${brief}`;
  return {
    what: text`${needed}${difference}`,
    hint: smokeTestHint(first, request.graph),
    evidence: { request: sent, expected, received },
  };
}

/** Of what an annotation quotes of a response, in characters. */
const maxBriefLength = 150;

/** What was received, short enough for a sentence: of a state with messages, what the last one says. */
function describeBriefly(received: Received): Message {
  const content = received.kind === "text" ? lastMessage(received.text) : undefined;
  return content === undefined
    ? shortened(describeReceived(received), maxBriefLength)
    : text`the last message ${quote(content, maxBriefLength)}`;
}

function lastMessage(state: string): string | undefined {
  const messages = parseJsonObject(state)?.messages;
  const content = Array.isArray(messages) ? asObject(messages.at(-1))?.content : undefined;
  return typeof content === "string" && content.trim() !== "" ? content : undefined;
}

const hint = text`Compare the expected and received responses ${below}, and check the server's logs on the platform. If the test is wrong, correct ${input("smoke_tests")}.`;

/** Such as `KeyError: 'MODEL_NAME'`, `OPENAI_TOKEN is not set` or `The api_key client option must be set`. */
const lacksVariable =
  /KeyError: '[A-Z]|\b[A-Z\d_]+_(?:KEY|TOKEN|SECRET|PASSWORD|URL|URI|ID)\b|\b(?:variable|secret)\b|\bapi[ _-]?key\b|\bcredentials?\b/;

function smokeTestHint({ expected, received }: Mismatch, graph: string | undefined): Message {
  if (received.kind === "no_response") {
    const { error } = received;
    return error instanceof ConnectionError && error.kind === "timeout"
      ? text`To give the response more time, raise ${code("max_seconds")}. Otherwise, read the server's logs on the platform.`
      : error.hint;
  }
  if (expected.kind === "no_error" && received.kind === "text" && lacksVariable.test(received.text)) {
    return text`If the agent lacks a variable, add it to ${input("secrets")}. ${hint}`;
  }
  const status = received.kind === "response" ? received.response.status : undefined;
  if (status === 401 || status === 403) {
    return text`If the agent requires a key, set ${input("agent_headers")}, or ${code("headers")} in the test. If the test expects this refusal, set ${code("expect.status")}.`;
  }
  return status === 404 && graph !== undefined
    ? text`Check that ${code(graph, 100)} is one of the ${code("graphs")} in the agent's configuration file. ${hint}`
    : hint;
}

function describeExpectation(expected: Expectation): Message {
  switch (expected.kind) {
    case "response":
      return text`a response`;
    case "status":
      return expected.status === undefined ? text`a 2xx status` : text`status ${expected.status}`;
    case "no_encoding":
      return text`a response without content encoding`;
    case "final_state":
      return text`the final state of the run, as a JSON object`;
    case "no_error":
      return text`a run without ${code("__error__")}`;
    case "interrupt":
      return text`a run ${expected.wanted ? text`with` : text`without`} ${code("__interrupt__")}`;
    case "contains":
      return text`a response that contains ${quote(expected.value, 200)}`;
    case "matches":
      return text`a response that matches ${code(expected.value, 200)}`;
    case "json":
      return text`a response with json ${code(expected.pointer, 100)}: ${excerpt(expected.value)}`;
  }
}

function describeReceived(received: Received): Message {
  switch (received.kind) {
    case "no_response":
      return withoutFullStop(received.error.text);
    case "response":
      return describeStatus(received.response);
    case "text":
      return received.text === "" ? text`nothing` : text`${excerpt(received.text)}`;
    case "too_slow":
      return text`no result: the expression took more than ${received.limitMs / 1000} s or too much memory`;
  }
}
