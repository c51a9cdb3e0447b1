import * as v from "valibot";
import type { AgentClient } from "../agent/agent-client.ts";
import type { Context } from "../context.ts";
import { poll } from "../http/poll.ts";
import { isSuccessful } from "../http/response.ts";
import { isSameId, type RevisionId, RevisionIdSchema } from "../platform/ids.ts";
import { parseJson } from "../text/json.ts";
import { code, duration, idText, inputName, phrase, text, withoutFullStop } from "../text/message.ts";
import { orAbsent, textOrAbsent } from "../text/schemas.ts";
import { agentPollTimes, type Check, maxResponseMs, mismatched } from "./check.ts";

interface ServingOptions {
  readonly mode: "auto" | "require";
  /** The revision that must respond. */
  readonly revisionId: RevisionId;
  readonly timeoutMs: number;
}

const infoPath = "/info";

/** Requests `/info` until the agent says twice in a row that the revision responds (docs/specification.md#serving-check). */
export function servingCheck(options: ServingOptions): Check {
  return {
    kind: "serving check",
    name: infoPath,
    verdictWithoutUrl: options.mode === "auto" ? "skipped" : "failed",
    input: code("serving_check: require"),
    async perform(agent, context) {
      const { mode, revisionId, timeoutMs } = options;
      const { last, lastNamed } = await pollInfo(agent, options, context);
      const isOwn = isSameId(last.revisionId, revisionId);
      // The version of another revision's server would mislead.
      if (isOwn || last.revisionId === undefined) context.report.setRevision({ serverVersion: last.version });
      if (isOwn) return { verdict: "passed", description: phrase`revision ${idText(revisionId)} responds` };
      if (lastNamed === undefined && mode === "auto") {
        const description = phrase`the server did not report its revision: ${last.description}`;
        return { verdict: "skipped", description };
      }
      const before =
        lastNamed && lastNamed !== last ? phrase`; before that, ${lastNamed.description}` : undefined;
      const expected = phrase`${revisionField}: ${idText(revisionId)}, twice in a row within ${duration(timeoutMs)}`;
      const received = phrase`${last.description}${before}`;
      const hint = lastNamed === undefined ? (last.hint ?? notReportedHint) : notSwitchedHint;
      return mismatched(code(`GET ${infoPath}`), [{ expected, received, hint }]);
    },
  };
}

export async function readServerVersion(agent: AgentClient): Promise<string | undefined> {
  return (await readInfo(agent)).version;
}

type InfoReport = Awaited<ReturnType<typeof readInfo>>;

/** How long mode `auto` waits for a server that is unavailable, such as one that is switching. */
const maxUnavailableMs = 10_000;

/** Returns the last report, and the last one that names a revision. */
async function pollInfo(
  agent: AgentClient,
  { mode, timeoutMs, revisionId }: ServingOptions,
  context: Context,
) {
  const giveUpAt = context.clock.now() + maxUnavailableMs;
  const isOwn = (info: InfoReport) => isSameId(info.revisionId, revisionId);
  let lastNamed: InfoReport | undefined;
  const attempt = async () => {
    const first = await readInfo(agent);
    // The load balancer may still route to the previous revision.
    const last = isOwn(first) ? await readInfo(agent) : first;
    lastNamed = [last, first, lastNamed].find((info) => info?.revisionId !== undefined);
    const mayGiveUp = mode === "auto" && lastNamed === undefined;
    const isGivenUp = mayGiveUp && (!last.isUnavailable || context.clock.now() >= giveUpAt);
    const pending = text`Revision ${idText(revisionId)} does not respond yet: ${last.description}.`;
    return { last, lastNamed, endsPolling: isOwn(last) || isGivenUp, pending };
  };
  return await poll(attempt, agentPollTimes(context, timeoutMs), context);
}

const revisionField = code("host.host_revision_id");
const notReportedHint = text`Check that the agent server reports ${revisionField} at ${code(infoPath)}. If it requires a key, check ${inputName("agent_headers")}. To accept a server that does not report its revision, set ${code("serving_check: auto")}.`;
const notSwitchedHint = text`Check the deployment on the platform. To give the switch to the new revision more time, raise ${inputName("health_check_timeout_seconds")}.`;

const HostSchema = orAbsent(v.looseObject({ host_revision_id: orAbsent(RevisionIdSchema) }));
const InfoSchema = orAbsent(v.looseObject({ version: textOrAbsent, host: HostSchema, metadata: HostSchema }));

/** A server without a response, or with a 5xx, counts as unavailable: it may be starting or switching. */
async function readInfo(agent: AgentClient) {
  const response = await agent.trySend({ method: "GET", path: infoPath, timeoutMs: maxResponseMs });
  if (response.error !== undefined) {
    const { message, hint } = response.error.ending;
    return { description: withoutFullStop(message), isUnavailable: true, hint };
  }
  const { status, body } = response.value;
  const info = v.parse(InfoSchema, isSuccessful(status) ? parseJson(body) : undefined);
  const { version, host, metadata } = info ?? {};
  const revisionId = host?.host_revision_id ?? metadata?.host_revision_id;
  const description =
    revisionId === undefined
      ? phrase`${code(`GET ${infoPath}`)} returned ${status} without ${revisionField}`
      : phrase`a response of revision ${idText(revisionId)}`;
  return { description, revisionId, isUnavailable: status >= 500, version };
}
