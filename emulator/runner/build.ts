/** Makes a checkout that can be started: fetches the source, checks the configuration, runs the build commands. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RunFailure } from "../errors.ts";
import type { Run, RunRequest } from "../store/runs.ts";
import { unpackArchive } from "./archive-source.ts";
import { CommandRunner } from "./command-runner.ts";
import { buildSteps } from "./commands.ts";
import { type Configuration, readConfiguration } from "./configuration-file.ts";
import { fetchGitSource } from "./git-source.ts";
import type { OutputLog } from "./output-log.ts";
import type { Environments } from "./python/environments.ts";
import type { RunSettings } from "./settings.ts";
import type { Watchdog } from "./watchdog.ts";

export interface BuildContext {
  readonly deploymentId: string;
  /** Empty. */
  readonly folder: string;
  readonly environments: Environments;
  readonly log: OutputLog;
  readonly watchdog: Watchdog;
  readonly settings: RunSettings;
  readonly signal: AbortSignal;
  /** The file of an uploaded archive; undefined if there is none. */
  readonly archiveOf: (archivePath: string) => string | undefined;
  /** Called as soon as the commit is known. */
  readonly onCommit: (commit: string) => Promise<void>;
}

/** The path of the configuration file if a request has none. */
const DEFAULT_CONFIG_PATH = "langgraph.json";

export function configPathOf({ configPath }: RunRequest): string {
  return configPath ?? DEFAULT_CONFIG_PATH;
}

/**
 * Builds a revision in the folder.
 * @throws {RunFailure} if its source is invalid or a command fails
 * @throws the reason of the signal
 */
export async function build({ request, commit }: Run, context: BuildContext): Promise<void> {
  const { folder, log, settings } = context;
  await fetchSource(request, commit, context);
  const configuration = await readConfiguration(folder, configPathOf(request));
  const limits = { limitMs: settings.buildMs, graceMs: settings.graceMs };
  const commandsIn = (where: string) => new CommandRunner({ ...context, ...limits, folder: where });
  const { installCommand: ownInstall, buildCommand: ownBuild } = request;
  const { buildCommand } = settings;
  const { python } = configuration;
  if (python !== undefined && buildCommand === undefined) {
    // The platform describes both fields as applying to JavaScript only.
    if (ownInstall || ownBuild) log.add("INFO", "install_command and build_command are not for Python");
    const { deploymentId, environments } = context;
    const build = {
      deploymentId,
      checkout: folder,
      folder: configuration.folder,
      app: python,
      commands: commandsIn(configuration.folder),
      log,
    };
    await environments.prepare(build);
  } else {
    const choice = { root: folder, folder: configuration.folder, buildCommand, ownInstall, ownBuild };
    for (const step of buildSteps(choice)) await commandsIn(step.folder).run(step.command);
    await createEnvFile(configuration);
  }
  log.add("INFO", "The build is complete");
}

/**
 * Creates the file of variables that is ignored by Git almost everywhere. The platform needs none, but the vendor's JavaScript
 * server for local use does not start without it before langgraph-cli 1.1.17.
 */
async function createEnvFile({ folder, envFile }: Configuration): Promise<void> {
  if (envFile === undefined) return;
  // Follows no link.
  await writeFile(join(folder, envFile), "", { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

async function fetchSource(request: RunRequest, commit: string | null, context: BuildContext): Promise<void> {
  const { source, repoUrl, ref, archivePath } = request;
  const { folder, signal, settings, archiveOf, onCommit } = context;
  if (source === "internal_source") {
    const archive = archivePath === null ? undefined : archiveOf(archivePath);
    if (archive === undefined) throw new RunFailure("There is no uploaded archive to build from.");
    await unpackArchive(archive, folder, signal);
    return;
  }
  if (repoUrl === null || ref === null) throw new RunFailure("repo_url and repo_ref are needed to build.");
  const limits = { ...context, limitMs: settings.gitMs, graceMs: settings.graceMs };
  await onCommit(await fetchGitSource({ repoUrl, ref, commit }, limits));
}
