import { realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Context } from "../context.ts";
import { Failure, toError } from "../errors.ts";
import { settleOrAbort } from "../http/settle-or-abort.ts";
import { inputError } from "../inputs/input-error.ts";
import { code, inputName, type Message, quote, quoteSentence, text } from "../text/message.ts";
import { type PackedSource, packArchive } from "./archive.ts";
import { checkedOutCommit } from "./checkout.ts";
import { describeContent } from "./config/archive-content.ts";
import { checkConfig } from "./config/check-config.ts";
import type { AppConfig } from "./config/config-file.ts";
import { findWarnings } from "./find-warnings.ts";
import { listFiles } from "./list-files.ts";
import { reportSource } from "./report-source.ts";
import { inWorkspace, type SourceFolder } from "./source-files.ts";

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

const sourcePath = inputName("source_path");

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
  const listing = await listFiles(folder, options, await credentialFiles(env));
  if (listing.files.length === 0) {
    throw sourceError(text`must be a folder with files, but ${quote(path)} has none to upload`);
  }
  const content = describeContent(listing, folder);
  const warnings = [...(await checkConfig(config, content)), ...(await findWarnings(listing, folder))];
  const archive = await packArchive(folder.path, listing, options);
  const commit = await checkedOutCommit(listing, workflow, options);
  return { ...archive, folder: content.inWorkspace, commit, warnings };
}

/** The files of keys that earlier steps of the job name in the environment, as google-github-actions/auth does. */
async function credentialFiles(env: Context["env"]): Promise<string[]> {
  const named = [
    env.GOOGLE_GHA_CREDS_PATH,
    env.GOOGLE_APPLICATION_CREDENTIALS,
    env.CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE,
    ...(env.KUBECONFIG ?? "").split(delimiter),
  ].flatMap((path) => path || []);
  return await Promise.all(named.map((path) => realpath(path).catch(() => path)));
}

/** Finds the folder that the input names, relative to the workspace. */
async function findFolder(pathInput: string, env: Context["env"]): Promise<SourceFolder> {
  const workspace = await realpath(env.GITHUB_WORKSPACE || process.cwd());
  const path = await realpath(resolve(workspace, pathInput)).catch(() => undefined);
  if (path === undefined || !(await stat(path)).isDirectory()) {
    const parent = path && (inWorkspace(dirname(path), workspace) || ".");
    const form =
      parent === undefined
        ? text`The path is relative to the workspace, and names one folder, without wildcards.`
        : text`For the folder of this file, set ${code(`source_path: ${parent}`)}.`;
    throw sourceError(text`must be a folder of the checkout, but ${quote(pathInput)} is not one`, form);
  }
  const below = relative(workspace, path);
  const names = below.split(sep);
  // Across the drives of Windows, a relative path is absolute.
  if (names[0] === ".." || isAbsolute(below) || names.includes(".git")) {
    throw sourceError(
      text`must be in the workspace and not in ${code(".git")}, but ${quote(pathInput)} is not`,
    );
  }
  return { path, workspace };
}

function sourceError(problem: Message, form?: Message): Failure {
  const hint = text`${form && text`${form} `}Check out the repository before this step, with ${code("actions/checkout")}, or correct ${sourcePath} or the ignore rules.`;
  return inputError([{ input: "source_path", problem, hint }]);
}
