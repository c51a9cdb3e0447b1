import { isSuccessful } from "../../http/request.ts";
import type { CheckResult, Finding, ShownRevision, UnreachableAgent } from "../../results/watch.ts";
import {
  code,
  duration,
  hiding,
  id,
  input,
  type Message,
  text,
  type Value,
  withoutFullStop,
} from "../../text/message.ts";
import { comparisonProblem, summarizeComparison } from "./comparison.ts";
import { type DescribedFinding, describeExpectation, describeStatus } from "./evidence.ts";
import { describeSmokeTest } from "./smoke-test.ts";

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
    what: text`no 2xx response within ${duration(timeoutMs)}. Last response: ${last}`,
    hint: text`Check ${input("health_check_path")}, and read the deploy log. The request carries no credentials except ${input("agent_headers")}. To give the deployment more time, raise ${input("health_check_timeout_seconds")}.`,
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
  if ("error" in response) return withoutFullStop(response.error.ending.message);
  const { request, status } = response.value;
  const words = isSuccessful(status) ? text`${status}` : describeStatus(response.value);
  return hiding(text`${code(`GET ${request.url.pathname}`)}: ${words}`, secrets);
}

const revisionField = code("host.host_revision_id");

/** Which revision responded to a request of `/info`, as a part of a sentence. */
export function describeShown(shown: ShownRevision): Message {
  if ("error" in shown) return withoutFullStop(shown.error.ending.message);
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
    what: text`after ${duration(timeoutMs)}, ${describeShown(last)}${other}${before}`,
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
