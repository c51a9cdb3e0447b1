/** Fetches the source of a revision from a git repository. */

import { resolve } from "node:path";
import { RunFailure } from "../errors.ts";
import { baseEnvironment } from "./environment.ts";
import type { OutputLog } from "./output-log.ts";
import { type ProgramLimits, runProgram } from "./run-program.ts";

export interface GitSource {
  readonly repoUrl: string;
  /** A branch, or a ref that starts with `refs/`. */
  readonly ref: string;
  /** The commit, if it is known: the ref may have moved on. */
  readonly commit: string | null;
}

export interface GitContext extends ProgramLimits {
  /** Empty. */
  readonly folder: string;
  readonly log: OutputLog;
}

/** Nothing that a repository, its address or the user's settings bring along is run. */
const SAFE_SETTINGS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.ext.allow=never"];

const PROTOCOLS = ["https", "http", "ssh", "file"];

/**
 * Checks out the source into the folder.
 * @returns the commit
 * @throws {RunFailure} if the address or the ref is invalid, or git fails
 */
export async function fetchGitSource(source: GitSource, context: GitContext): Promise<string> {
  const address = addressOf(source.repoUrl);
  const wanted = source.commit ?? refspecOf(source.ref);
  context.log.add("INFO", `Fetching ${wanted} of ${withoutCredentials(source.repoUrl)}`);
  await git(["init", "--quiet", "--template=", "."], context);
  await git(
    ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", address, wanted],
    context,
  );
  await git(["checkout", "--quiet", "--detach", "FETCH_HEAD"], context);
  const commit = (await git(["rev-parse", "HEAD"], context)).trim();
  context.log.add("INFO", `Checked out commit ${commit}`);
  return commit;
}

/** @throws {RunFailure} if git would take the address for an option, or for a program to run */
function addressOf(repoUrl: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):(?:\/\/|:)/i.exec(repoUrl) ?? [];
  const isKnown = scheme === undefined || PROTOCOLS.includes(scheme.toLowerCase());
  if (repoUrl === "" || repoUrl.startsWith("-") || repoUrl.includes("\0") || !isKnown) {
    throw new RunFailure("repo_url has to be an https, http, ssh or file address, or a local path.");
  }
  // `host:path` is an address of ssh.
  return scheme === undefined && !/^[^/]+:/.test(repoUrl) ? resolve(repoUrl) : repoUrl;
}

/** @throws {RunFailure} if it can't be the name of one ref: https://git-scm.com/docs/git-check-ref-format */
function refspecOf(ref: string): string {
  const isValid = /^[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) && !ref.includes("..") && !ref.includes("@{");
  if (!isValid) throw new RunFailure(`There is no branch or tag named ${ref}.`);
  return ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
}

/** What git printed on standard output. */
async function git(args: readonly string[], context: GitContext): Promise<string> {
  const { folder, log } = context;
  const output = { stdout: "", stderr: "" };
  const exit = await runProgram(
    {
      command: ["git", ...SAFE_SETTINGS.flatMap((setting) => ["-c", setting]), ...args],
      folder,
      env: gitEnvironment(),
      onOutput(stream, chunk) {
        output[stream] = (output[stream] + chunk.toString()).slice(-MAX_OUTPUT);
        if (stream === "stderr") log.write(stream, chunk);
      },
    },
    context,
  );
  if (exit.code === 0) return output.stdout;
  throw new RunFailure(`git ${args[0]} failed: ${reasonIn(output.stderr) ?? `code ${exit.code}`}`);
}

const MAX_OUTPUT = 10_000;

function gitEnvironment(): NodeJS.ProcessEnv {
  const { SSH_AUTH_SOCK } = process.env;
  return {
    ...baseEnvironment(process.env),
    ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }),
    GIT_ALLOW_PROTOCOL: PROTOCOLS.join(":"),
    GIT_TERMINAL_PROMPT: "0",
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  };
}

/** The line in which git says why. */
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return (lines.find((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1))?.trim();
}

/** Up to the last @ of the host's part. The user name of ssh is no secret. */
const CREDENTIALS = /^(https?:\/\/)([^/?#]*)@/i;

/** The address as people may read it. */
export function withoutCredentials(repoUrl: string): string {
  return repoUrl.replace(CREDENTIALS, "$1");
}

/** The user name, which may be a token, and the password: as they stand in the address, and decoded. */
export function credentialsIn(repoUrl: string): string[] {
  const [, , given = ""] = CREDENTIALS.exec(repoUrl) ?? [];
  const [user = "", ...password] = given.split(":");
  return [user, password.join(":")].flatMap((part) => [part, decoded(part)]);
}

/** A text with a percent sign that encodes nothing is one that the user has not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
