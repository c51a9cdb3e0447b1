import { realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type { Context } from "../context.ts";
import { Failure, toError } from "../errors.ts";
import { inputFailure } from "../input-problem.ts";
import { maxUploadBytes } from "../platform/source-upload.ts";
import { settleOrAbort } from "../settle-or-abort.ts";
import { code, inputName, type Phrase, phrase, quote, quoteSentence, text } from "../text/message.ts";
import { describeArchive, packArchive, type SourceArchive } from "./archive.ts";
import type { ConfigInputs } from "./config/config-file.ts";
import { validateConfig } from "./config/validate-config.ts";
import { describeLeftOut, findWarnings } from "./describe-listing.ts";
import { listFiles } from "./list-files.ts";
import { readCommit } from "./read-commit.ts";
import { isOutside, relativeToWorkspace, type SourceFolder } from "./source-folder.ts";

/** Checks and packs the folder of `source_path`, and reports the archive and the paths that it lacks. */
export async function packSource(
  path: string,
  config: ConfigInputs,
  context: Context,
): Promise<SourceArchive> {
  return await context.report.withActivity(phrase`still packing the files of ${sourcePath}`, () =>
    // Calls to a hanging file system do not notice a signal.
    settleOrAbort(packFolder(path, config, context), context.cancelled).catch((thrown: unknown) => {
      throw fileFailure(toError(thrown));
    }),
  );
}

const sourcePath = inputName("source_path");

/** Returns the failure for an error of the file system, whose message names the file. Other errors are returned as they are. */
function fileFailure(error: Error): Error {
  if (!("syscall" in error)) return error;
  return new Failure(text`Could not pack the files of ${sourcePath}: ${quoteSentence(error.message)}.`, {
    hint: text`Check that this job may read the files, that their names are UTF-8, and that the runner has room for the archive.`,
    cause: error,
  });
}

async function packFolder(path: string, config: ConfigInputs, context: Context): Promise<SourceArchive> {
  const { env, report, cancelled: signal } = context;
  const options = { signal, temporaryFolder: env.RUNNER_TEMP || tmpdir() };
  const listing = await listFiles(await requireFolder(path, context), options);
  if (listing.files.length === 0) {
    throw sourceFailure(phrase`must be a folder with files, but ${quote(path)} has none to upload`);
  }
  const warnings = [...(await validateConfig(config, listing)), ...(await findWarnings(listing))];
  for (const warning of warnings) report.warning(warning);
  const leftOut = describeLeftOut(listing);
  if (leftOut.length > 0) {
    report.group(
      text`Left out of the archive: ignored files, symbolic links, credentials, and folders such as ${code("node_modules")}`,
      leftOut,
    );
  }
  const commit = await readCommit(listing, options, context);
  const archive = await packArchive(listing, maxUploadBytes, options);
  report.set({ archive: { digest: archive.digest, commit } });
  report.info(text`Packed ${describeArchive(archive)}.`);
  return archive;
}

/** @throws Failure if the input is not a folder in the workspace */
async function requireFolder(pathInput: string, { workflow }: Context): Promise<SourceFolder> {
  const workspace = await realpath(workflow.workspace);
  const path = await realpath(resolve(workspace, pathInput)).catch(() => "");
  const below = relativeToWorkspace({ path, workspace });
  const isInside = !isOutside(below) && !below.split("/").includes(".git");
  if (path === "" || !isInside || !(await stat(path)).isDirectory()) {
    throw sourceFailure(
      phrase`must be a folder in the workspace and not in ${code(".git")}, without wildcards, but ${quote(pathInput)} is not one`,
    );
  }
  return { path, workspace };
}

function sourceFailure(problem: Phrase): Failure {
  const hint = text`The path is relative to the workspace. Check out the repository before this step, with ${code("actions/checkout")}, or correct ${sourcePath} or the ignore rules.`;
  return inputFailure([{ input: "source_path", problem, hint }]);
}
