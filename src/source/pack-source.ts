import { readdir, realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import type { Failure } from "../errors.ts";
import { settleOrAbort } from "../http/timeout.ts";
import { inputError } from "../inputs/input-error.ts";
import type { Report } from "../report/report.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { formatCount } from "../text/format.ts";
import { code, input, joined, type Message, quote, text } from "../text/message.ts";
import { type AppConfig, checkConfig, type GraphFile } from "./app-config.ts";
import { describeArchive, maxPackedBytes, packArchive, type SourceArchive } from "./archive.ts";
import { checkedOutCommit } from "./checkout.ts";
import { listFiles } from "./list-files.ts";
import type { SourceFolder } from "./source-files.ts";

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
  const { env, cancelled: signal, workflow } = context;
  const temporaryFolder = env.RUNNER_TEMP;
  const folder = await findFolder(path, env);
  const listing = await listFiles(folder, { signal, temporaryFolder });
  if (listing.files.length === 0) throw await noFiles(folder, path);
  const inWorkspace = relative(folder.workspace, folder.path).replaceAll(sep, "/");
  const missingFiles = await checkConfig(config, { ...folder, inWorkspace, ...listing });
  const archive = await packArchive(folder.path, listing, { temporaryFolder, maxPackedBytes, signal });
  const commit = await checkedOutCommit(listing, archive.changed, folder, workflow, {
    signal,
    temporaryFolder,
  });
  return { ...archive, folder: inWorkspace, commit, missingFiles };
}

/** Finds the folder that the input names, relative to the workspace. */
async function findFolder(pathInput: string, env: Context["env"]): Promise<SourceFolder> {
  const workspace = await realpath(env.GITHUB_WORKSPACE || process.cwd());
  const path = await realpath(resolve(workspace, pathInput)).catch(() => undefined);
  const isFolder = path !== undefined && (await stat(path)).isDirectory();
  if (!isFolder) {
    const problem = text`must be a folder of the checkout, but ${quote(pathInput)} is not one`;
    const hint = text`Correct ${sourcePath}, or check out the repository before this step, with ${code("actions/checkout")}.`;
    throw inputError([{ input: "source_path", problem, hint }]);
  }
  const fromWorkspace = relative(workspace, path);
  if (fromWorkspace === ".." || fromWorkspace.startsWith(`..${sep}`) || resolve(path) === fromWorkspace) {
    const problem = text`must be inside the workspace, but ${quote(pathInput)} is not`;
    throw inputError([{ input: "source_path", problem }]);
  }
  if (fromWorkspace.toLowerCase().split(sep).includes(".git")) {
    const problem = text`must not be in ${code(".git")}, but ${quote(pathInput)} is`;
    throw inputError([{ input: "source_path", problem }]);
  }
  return { path, workspace };
}

/** `given`: the folder as the input names it. */
async function noFiles({ path }: SourceFolder, given: string): Promise<Failure> {
  const isEmpty = (await readdir(path)).length === 0;
  const [what, hint] = isEmpty
    ? [text`has none`, text`Check out the repository before this step, with ${code("actions/checkout")}.`]
    : [
        text`has none to upload: ignore rules or folder names exclude all, or they are symbolic links`,
        text`Correct ${sourcePath}, or the ${code(".gitignore")} or ${code(".dockerignore")} file that excludes the files.`,
      ];
  const problem = text`must be a folder with files, but ${quote(given)} ${what}`;
  return inputError([{ input: "source_path", problem, hint }]);
}

/** Everything that people are told of a packed folder. */
function reportSource(source: PackedSource, report: Report): void {
  const { links, folders, digest, commit, missingFiles } = source;
  if (links.length > 0) report.info(text`Symbolic links are left out of the archive: ${listFirst(links)}.`);
  if (folders.length > 0) {
    report.info(
      text`Folders with tracked files are left out of the archive because of their names: ${listFirst(folders)}.`,
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

function listFirst(names: readonly (Message | string)[]): Message {
  const others = names.length - maxListed;
  const more = others > 0 ? [text`${code(formatCount(others))} more`] : [];
  const first = names.slice(0, maxListed).map((name) => (typeof name === "string" ? code(name, 200) : name));
  return joined([...first, ...more], ", ");
}
