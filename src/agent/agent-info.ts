import * as v from "valibot";
import type { Result } from "../errors.ts";
import { isSuccessful } from "../http/request.ts";
import { parseJson } from "../text/json.ts";
import type { AgentClient } from "./agent-client.ts";

export const infoPath = "/info";

/** What `/info` of an agent server shows. */
export interface AgentInfo {
  readonly status: number;
  /** Of the server; undefined if it does not say, or responded with an error. */
  readonly version: string | undefined;
  /** The control plane's revisions that responded: usually one, maybe named in two places. */
  readonly revisionIds: readonly string[];
}

const HostSchema = v.fallback(v.looseObject({ host_revision_id: v.pipe(v.string(), v.nonEmpty()) }), {
  host_revision_id: "",
});
const InfoSchema = v.looseObject({ host: HostSchema, metadata: HostSchema });
const VersionSchema = v.looseObject({ version: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) });

/** Requests `/info` once. @throws the reason of a cancellation */
export async function readInfo(agent: AgentClient, timeoutMs: number): Promise<Result<AgentInfo>> {
  const read = await agent.request({ method: "GET", path: infoPath, timeoutMs });
  if ("error" in read) return read;
  const { status, text } = read.value;
  const body = parseJson(text);
  const info = v.safeParse(InfoSchema, body);
  const places = info.success ? [info.output.host, info.output.metadata] : [];
  const version = v.safeParse(VersionSchema, body);
  return {
    value: {
      status,
      version: isSuccessful(status) && version.success ? version.output.version : undefined,
      revisionIds: places.map(({ host_revision_id: id }) => id).filter((id) => id !== ""),
    },
  };
}
