import { realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import { settleOrAbort } from "../http/timeout.ts";
import { type InputProblem, inputError } from "../inputs/input-error.ts";
import type { Report } from "../report/report.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { formatCount } from "../text/format.ts";
import { code, input, joined, type Message, quote, text, type Value } from "../text/message.ts";
import { type AppConfig, checkConfig, type GraphFile } from "./app-config.ts";
import { countOf, describeArchive, maxPackedBytes, packArchive, type SourceArchive } from "./archive.ts";
import { checkedOutCommit } from "./checkout.ts";
import { listFiles } from "./list-files.ts";
import type { SourceFolder, SourceListing } from "./source-files.ts";

/** The packed folder of `source_path`, until it is disposed of. */
export interface PackedSource extends SourceArchive {
  /** Relative to the workspace, with `/` between its parts; `""` if it is the workspace. */
  readonly folder: string;
  /** Undefined without git or a checkout. */
  readonly commit: CheckedOutCommit | undefined;
  /** Files of graphs that are not in the archive. */
  readonly missingFiles: readonly GraphFile[];
}

/**
 * Packs the folder of `source_path`, and reports what is in the archive and what is left out. `config`: the file that the
 * build starts from.
 *
 * @throws Failure if the folder is missing or outside of the workspace, the file is not in the archive, or that is too
 *   large, and the reason of a cancellation
 */
export async function packSource(path: string, config: AppConfig, context: Context): Promise<PackedSource> {
  const { report, cancelled } = context;
  const source = await report.during(text`still packing the files of ${sourcePath}`, () =>
    // A file system that hangs takes no notice of a signal.
    settleOrAbort(pack(path, config, context), cancelled),
  );
  reportSource(source, report);
  return source;
}

const sourcePath = input("source_path");

async function pack(path: string, config: AppConfig, context: Context): Promise<PackedSource> {
  const { env, cancelled, workflow } = context;
  const folder = await findFolder(path, env);
  const listing = await listFiles(folder, { signal: cancelled });
  const inWorkspace = relative(folder.workspace, folder.path).replaceAll(sep, "/");
  const problem = folderProblem(listing, path);
  if (problem !== undefined) throw inputError([problem]);
  const missingFiles = await checkConfig(config, { ...folder, inWorkspace, ...listing });
  const commit = await checkedOutCommit(folder, workflow, { signal: cancelled });
  const options = { temporaryFolder: env.RUNNER_TEMP, maxPackedBytes, signal: cancelled };
  const archive = await packArchive(folder.path, listing, options);
  return { ...archive, folder: inWorkspace, commit, missingFiles };
}

/** Finds the folder that the input names, relative to the workspace. @throws Failure if it is missing or outside */
async function findFolder(pathInput: string, env: Context["env"]): Promise<SourceFolder> {
  const workspace = await realpath(env.GITHUB_WORKSPACE || process.cwd());
  const path = await realpath(resolve(workspace, pathInput)).catch(() => undefined);
  const isFolder = path !== undefined && (await stat(path)).isDirectory();
  if (!isFolder) {
    const problem = text`must be a folder of the checkout, but ${quote(pathInput)} is not one`;
    throw inputError([
      {
        input: "source_path",
        problem,
        hint: text`Correct ${sourcePath}, or check out the repository before this step, with ${code("actions/checkout")}.`,
      },
    ]);
  }
  const fromWorkspace = relative(workspace, path);
  if (fromWorkspace === ".." || fromWorkspace.startsWith(`..${sep}`) || resolve(path) === fromWorkspace) {
    const problem = text`must be inside the workspace, but ${quote(pathInput)} is not`;
    throw inputError([{ input: "source_path", problem }]);
  }
  return { path, workspace };
}

const checkoutHint = text`Check out the repository before this step, with ${code("actions/checkout")}.`;

/** Why the files of a folder can't be deployed; undefined if they can. `folder`: as given. */
function folderProblem(
  { files, links, hasIgnored }: SourceListing,
  folder: string,
): InputProblem | undefined {
  if (files.length === 0 && links > 0) {
    return {
      input: "source_path",
      problem: text`must be a folder with files, but ${quote(folder)} has only symbolic links, which are not uploaded`,
      hint: text`Replace the links with files, or correct ${sourcePath}.`,
    };
  }
  if (files.length === 0 && hasIgnored) {
    return {
      input: "source_path",
      problem: text`must be a folder with files, but ignore rules or folder names exclude all files in ${quote(folder)}`,
      hint: text`Change the ${code(".gitignore")} or ${code(".dockerignore")} file that excludes the files, such as with a line that starts with !.`,
    };
  }
  if (files.length === 0) {
    const problem = text`must be a folder with files, but ${quote(folder)} has none`;
    return { input: "source_path", problem, hint: checkoutHint };
  }
  return undefined;
}

/** Everything that people are told of a packed folder. */
function reportSource(source: PackedSource, report: Report): void {
  const { links, trackedExcluded, lacksGit, digest, commit, missingFiles } = source;
  if (links > 0) {
    const [are, its, them] =
      links === 1
        ? [text`is`, text`its`, text`it with a file`]
        : [text`are`, text`their`, text`them with files`];
    report.notice(
      text`${countOf(links, "symbolic link")} ${are} left out of the archive. If the build needs ${its} content, replace ${them}.`,
    );
  }
  if (trackedExcluded.length > 0) {
    report.notice(
      text`Tracked files are left out of the archive because of the names of their folders: ${listFirst(trackedExcluded.map((path) => code(path)))}. If the build needs them, rename the folders.`,
    );
  }
  if (lacksGit) {
    report.notice(
      text`Git could not list the tracked files of a checkout below ${sourcePath}. Tracked files that a ${code(".gitignore")} rule matches are left out of the archive.`,
    );
  }
  if (missingFiles.length > 0) {
    const files = missingFiles.map(({ file, graph }) => text`${code(file, 200)} (graph ${code(graph, 100)})`);
    report.warning(
      text`Not in the archive, although the configuration file names it: ${listFirst(files)}. If the build does not create the file, the agent can't start. Check the paths under ${code("graphs")}, and the ignore rules.`,
    );
  }
  report.set({ sourceDigest: digest, sourceCommit: commit });
  report.info(text`Packed ${describeArchive(source)}.`);
}

const maxListed = 5;

function listFirst(names: readonly (Message | Value)[]): Message {
  const others = names.length - maxListed;
  const more = others > 0 ? [text`${code(formatCount(others))} more`] : [];
  return joined([...names.slice(0, maxListed), ...more], ", ");
}
