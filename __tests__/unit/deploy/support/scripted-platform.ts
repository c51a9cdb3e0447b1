import { singleAttempt } from "../../../../src/http/retry.ts";
import { ControlPlane } from "../../../../src/platform/control-plane.ts";
import type { ControlPlaneSettings } from "../../../../src/platform/platforms.ts";
import { standard } from "../../../../src/platform/standard.ts";
import type { RecordingContext } from "../../../support/recording-context.ts";
import { serve } from "../../../support/serve.ts";

/** What the platform responds: a status that is no success, or the fields of an object. */
export type Scripted =
  | { readonly code: number; readonly retryAfter?: number }
  | Readonly<Record<string, unknown>>;

/** The response of the platform at this many seconds after the start, to the request of this number (from 1). */
export type Script = (seconds: number, request: number) => Scripted;

export interface ScriptedPlatform {
  readonly settings: ControlPlaneSettings;
  readonly controlPlane: ControlPlane;
  readonly deadline: number;
  readonly records: undefined;
  /** When each path was requested, in seconds after the start. */
  readonly requests: Readonly<Record<string, readonly number[]>>;
}

/** A platform that responds over HTTP as scripts say, by path below the deployment `agent`; 404 without a script. */
export async function scriptedPlatform(
  scripts: Readonly<Record<string, Script | undefined>>,
  context: RecordingContext,
): Promise<ScriptedPlatform> {
  const requests: Record<string, number[]> = {};
  const address = await serve(({ url = "" }, response) => {
    const path = url.replace("/v2/deployments/agent", "").replace(/^(\/revisions)\?.*$/, "$1");
    const seconds = context.clock.elapsed() / 1000;
    const times = [...(requests[path] ?? []), seconds];
    requests[path] = times;
    const scripted = scripts[path]?.(seconds, times.length) ?? { code: 404 };
    if (typeof scripted.code === "number") {
      if (scripted.retryAfter) response.setHeader("retry-after", String(scripted.retryAfter));
      response.writeHead(scripted.code).end("{}");
    } else {
      response.end(JSON.stringify({ id: url.split("/").at(-1), ...scripted }));
    }
  });
  const settings = {
    platform: standard,
    url: new URL(address),
    apiKey: "some-key",
    workspaceId: "some-workspace",
    requestTimeoutMs: 10_000,
  };
  const controlPlane = new ControlPlane(settings, context, singleAttempt);
  return { settings, controlPlane, deadline: context.clock.now(), records: undefined, requests };
}
