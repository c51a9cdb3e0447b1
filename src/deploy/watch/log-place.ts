import { posix } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Context } from "../../context.ts";
import { type Place, toResult } from "../../errors.ts";
import { repositoryUrl } from "../../github/workflow-run.ts";
import { isSameRepository } from "../../platform/compare-source.ts";
import type { LogLine } from "../../results/watch.ts";
import { trackedFiles } from "../../source/checkout.ts";
import type { DeployJob } from "../job.ts";

/** In characters. A build that prints endless lines must not keep this action busy. */
const maxLineLength = 2000;
/** `File "src/agent.py", line 12`, `src/agent.py:12` or `src/agent.ts(12,5)`. */
const namedPlace = /File "([^"]{1,300})", line (\d{1,7})|([^\s"'`()[\]<>|:]{1,300})[:(](\d{1,7})(?!\d)/g;

/** As the vendor's JavaScript server for local use reports any syntax error, wherever in the file it is. */
const unknownLine = /\bParse error \S+:1:1\b/;

/** The places that the lines of a log name, in order, if they are places at all: `12:30` looks like one too. */
function placesIn(lines: readonly Pick<LogLine, "text">[]): Place[] {
  return lines.flatMap((logLine) => {
    const text = stripVTControlCharacters(logLine.text.slice(0, maxLineLength));
    const hasLine = !unknownLine.test(text);
    return [...text.matchAll(namedPlace)].map(([, quoted, line, plain, number]) => ({
      path: quoted ?? plain ?? "",
      ...(hasLine && { line: Number(line ?? number) }),
    }));
  });
}

/** The files of a checkout. All paths are relative to the workspace, with `/` between their parts. */
interface CheckedOutFiles {
  readonly paths: ReadonlySet<string>;
  /** What the paths in a log may be relative to; `""` is the workspace. */
  readonly folders: readonly string[];
}

/** The first place that is in a file of the checkout. */
function firstPlace(places: readonly Place[], { paths, folders }: CheckedOutFiles): Place | undefined {
  for (const place of places) {
    const inBuild = pathsInBuild(place.path).flatMap((one) =>
      folders.map((folder) => posix.join(folder, one)),
    );
    const found = inBuild.find((one) => paths.has(one));
    if (found !== undefined) return { ...place, path: found };
  }
  return undefined;
}

/**
 * A path from a log, relative to the app. The vendor's images have the app, or folders of it, below `/deps`:
 * https://github.com/langchain-ai/langgraph/blob/main/libs/cli/langgraph_cli/config.py
 * Of a `file:` URL, as Node.js writes it, `logged` is what follows the colon.
 */
function pathsInBuild(logged: string): string[] {
  const path = posix.normalize(logged);
  if (!posix.isAbsolute(path)) return [path];
  const [, inDeps] = /^\/deps\/(.*)$/.exec(path) ?? [];
  if (inDeps === undefined) return [];
  const parts = inDeps.split("/");
  return [0, 1, 2].map((skipped) => parts.slice(skipped).join("/"));
}

/** What a build was made of. */
export type BuiltSource = Pick<DeployJob, "plan" | "upload">;

/**
 * The first place in the checkout that the log of a failed build or deploy names; undefined if there is none, or if what was
 * built is not what is checked out. Optional: git may not be there.
 */
export async function findLogPlace(
  context: Context,
  built: BuiltSource,
  lines: readonly LogLine[],
): Promise<Place | undefined> {
  const places = placesIn(lines);
  const files = places.length === 0 ? undefined : await toResult(() => checkedOutFiles(context, built));
  return files && "value" in files && files.value ? firstPlace(places, files.value) : undefined;
}

/** In milliseconds. An annotation's place is not worth a longer wait. */
const gitTimeoutMs = 5000;

async function checkedOutFiles(
  { env, workflow, cancelled }: Context,
  { plan, upload }: BuiltSource,
): Promise<CheckedOutFiles | undefined> {
  const app = posix.dirname(posix.join("/", plan.source.appConfigPath ?? "")).slice(1);
  if (upload !== undefined) {
    const { folder, files } = upload;
    return {
      paths: new Set(files.map(({ path }) => posix.join(folder, path))),
      folders: [folder, posix.join(folder, app)],
    };
  }
  const [workspace, ownUrl] = [env.GITHUB_WORKSPACE, repositoryUrl(workflow)];
  const isOwn = plan.repoUrl !== undefined && ownUrl !== undefined && isSameRepository(plan.repoUrl, ownUrl);
  if (!workspace || !isOwn) return undefined;
  const paths = await trackedFiles(workspace, workflow, { signal: cancelled, gitTimeoutMs });
  return paths && { paths, folders: [app, ""] };
}
