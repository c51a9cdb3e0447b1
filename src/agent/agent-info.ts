import * as v from "valibot";
import type { Result } from "../errors.ts";
import { isSuccessful } from "../http/response.ts";
import { parseJson } from "../text/json.ts";
import type { AgentClient } from "./agent-client.ts";

export const infoPath = "/info";

/** What `/info` of an agent server shows; an error shows nothing. */
export interface AgentInfo {
  readonly status: number;
  /** Of the server. */
  readonly version: string | undefined;
  /** The control plane's revision that responded. */
  readonly revisionId: string | undefined;
}

const TextSchema = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);
const HostSchema = v.fallback(v.looseObject({ host_revision_id: TextSchema }), {
  host_revision_id: undefined,
});
const InfoSchema = v.looseObject({ version: TextSchema, host: HostSchema, metadata: HostSchema });

/** Requests `/info` once. @throws the reason of a cancellation */
export async function readInfo(agent: AgentClient, timeoutMs: number): Promise<Result<AgentInfo>> {
  const response = await agent.request({ method: "GET", path: infoPath, timeoutMs });
  if ("error" in response) return response;
  const { status, text } = response.value;
  const parsed = v.safeParse(InfoSchema, parseJson(text));
  const info = parsed.success && isSuccessful(status) ? parsed.output : undefined;
  const revisionId = info?.host.host_revision_id ?? info?.metadata.host_revision_id;
  return { value: { status, version: info?.version, revisionId } };
}
