import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Failure, toError } from "../errors.ts";
import { code, inputName, quoteSentence, text } from "../text/message.ts";
import type { SourceFolder } from "./source-folder.ts";

/** A folder of a repository whose files belong to the source. */
export interface Checkout {
  /** The folder or file `.git`. */
  readonly gitDir: string;
  readonly workTree: string;
  readonly folder: string;
  /** The start of the paths of its files: empty, or the path of a nested repository with `/` at its end. */
  readonly prefix: string;
  /** Of a nested repository: the commit that the repository around it records; empty if it records none. */
  readonly commit?: string;
}

export interface GitOptions {
  readonly signal: AbortSignal;
  /** A folder outside of any checkout. */
  readonly temporaryFolder: string;
}

/** The most bytes that git may print. The list of all files of a large repository is smaller. */
const maxGitBytes = 100_000_000;

/** Overrides the settings of a clone that run commands or would change the archive. */
const gitSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.ignoreCase=false",
];

const execute = promisify(execFile);

/**
 * Runs git in a folder of a repository, and returns its output. Git must not search for the repository: it would accept any
 * folder with a file `HEAD`, and run commands of its settings. It must not fetch for a partial clone either, which could also
 * run such commands. Git sees no input of the step and no settings of a home folder.
 */
export async function runGit(
  { gitDir, workTree, folder }: Checkout,
  args: readonly string[],
  { signal, temporaryFolder }: GitOptions,
  stdin = "",
): Promise<string> {
  const { PATH, SYSTEMROOT } = process.env;
  const env = {
    PATH,
    SYSTEMROOT,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
  const locationArgs = ["-C", folder, `--git-dir=${gitDir}`, `--work-tree=${workTree}`];
  const running = execute(
    "git",
    ["--no-pager", ...gitSettings.flatMap((setting) => ["-c", setting]), ...locationArgs, ...args],
    // Windows first looks for a program in this folder, so it must be outside of the checkout.
    { cwd: temporaryFolder, env, maxBuffer: maxGitBytes, signal, killSignal: "SIGKILL" },
  );
  // If git ends before it has read everything, its exit code reports the failure.
  running.child.stdin?.on("error", () => {}).end(stdin);
  try {
    return (await running).stdout;
  } catch (error) {
    signal.throwIfAborted();
    throw gitFailure(workTree, toError(error));
  }
}

function gitFailure(workTree: string, error: Error): Failure {
  if ("code" in error && error.code === "ENOENT") {
    return new Failure(text`${inputName("source_path")} needs git, which this machine does not have.`, {
      hint: text`Install git on the runner, or in the container of the job, before the step that checks out.`,
      cause: error,
    });
  }
  const words = error.message.replace(/^Command failed: .*\n/, "").replace(/^(fatal|error): /, "");
  return new Failure(text`Git could not read the checkout in ${code(workTree)}: ${quoteSentence(words)}.`, {
    hint: text`Check that the checkout is complete, and that git works there in a step before this one.`,
    cause: error,
  });
}

/** Finds the nearest repository around a folder, up to the workspace. */
export function findCheckout({ path, workspace }: SourceFolder): Checkout | undefined {
  for (let workTree = path; ; workTree = dirname(workTree)) {
    if (isCheckout(workTree)) return { gitDir: join(workTree, ".git"), workTree, folder: path, prefix: "" };
    if (workTree === workspace) return undefined;
  }
}

/** Whether a folder is the root of a repository or submodule. */
export function isCheckout(path: string): boolean {
  return existsSync(join(path, ".git"));
}
