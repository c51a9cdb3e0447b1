import { realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { relative, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import { Failure, toError } from "../errors.ts";
import { settleOrAbort } from "../http/timeout.ts";
import { inputError } from "../inputs/input-error.ts";
import type { Report } from "../report/report.ts";
import type { CheckedOutCommit } from "../report/state.ts";
import { formatCount } from "../text/format.ts";
import {
  code,
  input,
  joined,
  type Message,
  quote,
  quoteSentence,
  text,
  type Value,
} from "../text/message.ts";
import { type AppConfig, checkConfig, type GraphFile } from "./app-config.ts";
import { describeArchive, packArchive, type SourceArchive } from "./archive.ts";
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
    settleOrAbort(pack(path, config, context).catch(fileFailed), cancelled),
  );
  reportSource(source, report);
  return source;
}

const sourcePath = input("source_path");

/** Errors of the file system name the file. */
function fileFailed(thrown: unknown): never {
  const error = toError(thrown);
  if (!("syscall" in error)) throw error;
  throw new Failure(text`Could not pack the files of ${sourcePath}: ${quoteSentence(error.message)}.`, {
    hint: text`Check that this job may read the files, that their names are UTF-8, and that the runner has room for the archive.`,
    cause: error,
  });
}

async function pack(path: string, config: AppConfig, context: Context): Promise<PackedSource> {
  const { env, cancelled: signal, workflow } = context;
  const options = { signal, temporaryFolder: env.RUNNER_TEMP || tmpdir() };
  const folder = await findFolder(path, env);
  const listing = await listFiles(folder, options);
  if (listing.files.length === 0) {
    throw sourceError(text`must be a folder with files, but ${quote(path)} has none to upload`);
  }
  const inWorkspace = relative(folder.workspace, folder.path).replaceAll(sep, "/");
  const missingFiles = await checkConfig(config, { ...folder, inWorkspace, ...listing });
  const archive = await packArchive(folder.path, listing, options);
  const commit = await checkedOutCommit(listing, workflow, options);
  return { ...archive, folder: inWorkspace, commit, missingFiles };
}

/** Finds the folder that the input names, relative to the workspace. */
async function findFolder(pathInput: string, env: Context["env"]): Promise<SourceFolder> {
  const workspace = await realpath(env.GITHUB_WORKSPACE || process.cwd());
  const path = await realpath(resolve(workspace, pathInput)).catch(() => undefined);
  if (path === undefined || !(await stat(path)).isDirectory()) {
    throw sourceError(text`must be a folder of the checkout, but ${quote(pathInput)} is not one`);
  }
  const names = relative(workspace, path).split(sep);
  if (names[0] === ".." || names.includes(".git")) {
    throw sourceError(
      text`must be in the workspace and not in ${code(".git")}, but ${quote(pathInput)} is not`,
    );
  }
  return { path, workspace };
}

function sourceError(problem: Message): Failure {
  const hint = text`Check out the repository before this step, with ${code("actions/checkout")}, or correct ${sourcePath} or the ignore rules.`;
  return inputError([{ input: "source_path", problem, hint }]);
}

function reportSource(source: PackedSource, report: Report): void {
  const { links, folders, digest, commit, missingFiles } = source;
  if (links.length > 0) {
    report.info(
      text`Symbolic links are left out of the archive: ${listFirst(links.map((link) => code(link)))}.`,
    );
  }
  if (folders.length > 0) {
    report.info(
      text`Folders with tracked files are left out of the archive because of their names: ${listFirst(folders.map((folder) => code(folder)))}.`,
    );
  }
  if (missingFiles.length > 0) {
    const files = missingFiles.map(({ file, graph }) => text`${code(file)} (graph ${code(graph)})`);
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
