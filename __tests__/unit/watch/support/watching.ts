import { noRevisions } from "../../../../src/deployment/attribution.ts";
import { watchRevision } from "../../../../src/deployment/watch.ts";
import { ControlPlane } from "../../../../src/platform/control-plane.ts";
import { standard } from "../../../../src/platform/platforms.ts";
import type { Ending } from "../../../../src/progress/ending.ts";
import { Progress } from "../../../../src/progress/progress.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { serve } from "../../../support/serve.ts";

/** An answer of the platform: a status code with what goes with it, or the fields of a success. */
export type Answer =
  | { readonly code: number; readonly retryAfter?: number }
  | Readonly<Record<string, string | null>>;

/** What the platform answers so many seconds after the write. */
export type Script = (seconds: number) => Answer;

export interface Watching {
  /** This run's revision is `ours`. */
  readonly ours: Script;
  /** Another one of the deployment, `other`. */
  readonly other?: Script;
  readonly deployment?: Script;
  /** Ids of the revisions that were there before the write. */
  readonly before?: readonly string[];
  readonly timeoutSeconds?: number;
  readonly usualSeconds?: number;
}

export interface Watched {
  readonly ending: Ending;
  readonly lines: readonly { readonly kind: string; readonly text: string }[];
  /** When the revision was looked at, in seconds after the write. */
  readonly looks: readonly number[];
  readonly progress: Progress;
}

/** Watches this run's revision on a platform that answers over HTTP as the scripts say. */
export async function watching(watched: Watching): Promise<Watched> {
  const context = recordingContext({});
  const { clock } = context;
  const writtenAt = clock.now();
  const looks: number[] = [];
  const scripts: Readonly<Record<string, Script | undefined>> = {
    "/v2/deployments/agent": watched.deployment ?? (() => ({})),
    "/v2/deployments/agent/revisions/ours": watched.ours,
    "/v2/deployments/agent/revisions/other": watched.other,
  };
  const url = await serve(({ url: path = "" }, response) => {
    const seconds = (clock.now() - writtenAt) / 1000;
    if (path.endsWith("/ours")) looks.push(seconds);
    const answer = scripts[path]?.(seconds) ?? { code: 404 };
    if (typeof answer.code === "number") {
      const { code, retryAfter } = answer;
      if (retryAfter) response.setHeader("retry-after", retryAfter);
      response.writeHead(code).end("{}");
    } else {
      response.end(JSON.stringify({ id: path.split("/").at(-1), name: "agent", ...answer }));
    }
  });
  const settings = { platform: standard, url: new URL(url), headers: {}, requestTimeoutMs: 10_000 };
  const progress = new Progress(context);
  const { timeoutSeconds = 100, usualSeconds, before = [] } = watched;
  const ending = await watchRevision({
    written: {
      deploymentId: "agent",
      revisionId: "ours",
      writtenAt,
      before: { ...noRevisions, ids: new Set(before) },
      liveBefore: undefined,
    },
    mode: { wait: true, dryRun: false, timeoutMs: timeoutSeconds * 1000, pollIntervalMs: 4000 },
    plane: new ControlPlane(settings, context, { attempts: 5, until: Number.POSITIVE_INFINITY }),
    progress,
    context,
    typicalMs: usualSeconds === undefined ? undefined : usualSeconds * 1000,
  });
  return { ending, lines: context.recorded.lines, looks, progress };
}
