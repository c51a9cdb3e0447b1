/** What a workflow run needs: a repository, GitHub, the platform, and what the reader has set. */
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { type GitHubStandIn, startGitHub } from "../../support/github/github-stand-in.ts";
import { defaultToken } from "../../support/runner/run-action.ts";
import type { WorkflowEvent } from "../../support/runner/step-environment.ts";
import { apiKey, secrets, type Values, variables } from "../values.ts";
import { type ActRun, type StartedActRun, startAct } from "./act.ts";
import { copyOwnActions, localRepositories } from "./local-actions.ts";
import { type Files, ReaderRepository } from "./reader-repository.ts";
import { startVendorCloud } from "./vendor-cloud.ts";

export interface RunOptions {
  /** Of a pull request, a tag, a merge group: by default what the event says. */
  readonly ref?: string;
  /** The values of a job's matrix to run, each as `key:value`. */
  readonly matrix?: readonly string[];
  /** The name of another workflow of the repository. */
  readonly workflow?: string;
}

export interface World {
  readonly repository: ReaderRepository;
  readonly github: GitHubStandIn;
  readonly emulator: Emulator;
  /** Everything of this world is in it. */
  readonly folder: string;
  /** Commits files on the branch that is checked out, and pushes it. @returns the commit */
  commit(files?: Files): Promise<string>;
  /** Hosts of the internet that a run wanted to reach. */
  otherHosts(): string[];
  /** Runs the workflow, which is in the checkout. */
  run(event: WorkflowEvent, options?: RunOptions): Promise<ActRun>;
  start(event: WorkflowEvent, options?: RunOptions): StartedActRun;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly name: string;
  /** The workflow's text. */
  readonly workflow: string;
  /** Trace counts; by default a sample. */
  readonly usage?: readonly object[];
  /** Other workflows of the repository, by their name. */
  readonly others?: Readonly<Record<string, string>>;
}

/** Starts everything, with the workflow committed. The platform is that of the workflows. */
export async function startWorld({ name, workflow, usage, others }: WorldOptions): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "workflows-"));
  const workflows = { ...others, [name]: workflow };
  const files = Object.entries(workflows).map(([file, text]) => [`.github/workflows/${file}`, forAct(text)]);
  const repository = await ReaderRepository.create(folder, Object.fromEntries(files));
  // The emulator's git finds the repository there, too.
  process.env.HOME = folder;
  const text = Object.values(workflows).join("\n");
  const platform = /^[^#]*\bplatform: langsmith/m.test(text) ? "langsmith" : "standard";
  const usageFile = usage && writeLines(join(folder, "usage.jsonl"), usage);
  const emulator = await startEmulator({
    platform,
    apiKey,
    // The reader's own server. With "graphs", the vendor's would be started.
    run: { startCommand: "npm start" },
    sampleUsage: true,
    ...(usageFile && { usageFile }),
  });
  const cloud = await startVendorCloud(emulator.url, folder);
  const github = await startGitHub();
  const commit = async (files: Files = {}) => {
    const sha = await repository.commit(files);
    const branch = await repository.git("branch", "--show-current");
    github.repository.commit(sha, await filesOf(repository), `heads/${branch}`);
    return sha;
  };
  await commit();
  copyOwnActions(join(folder, "actions"));

  /** What the reader has set, and the actions. */
  const settings = (text: string) => [
    ...optionsFor("vars", "--var", text, variables(emulator)),
    ...optionsFor("secrets", "--secret", text, secrets),
    ...localRepositories(text, join(folder, "actions")),
  ];
  const machine = [
    ...["--platform", "ubuntu-latest=-self-hosted", "--actor", "octocat", "--no-cache-server"],
    ...["--action-offline-mode", "--action-cache-path", join(folder, "cache")],
    ...["--secret", `GITHUB_TOKEN=${defaultToken}`, "--env", `GITHUB_API_URL=${github.url}`],
  ];
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: "C.UTF-8",
    ACT_DISABLE_VERSION_CHECK: "1",
    ...cloud.env,
  };
  let count = 0;
  const start = (event: WorkflowEvent, options: RunOptions = {}) => {
    count += 1;
    const eventPath = join(folder, `event-${count}.json`);
    writeFileSync(eventPath, JSON.stringify(event.payload));
    const file = options.workflow ?? name;
    const run = ["--workflows", `.github/workflows/${file}`, "--eventpath", eventPath];
    const variables = { GITHUB_RUN_ID: String(count), ...(options.ref && { GITHUB_REF: options.ref }) };
    const set = Object.entries(variables).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
    const only = options.matrix?.flatMap((value) => ["--matrix", value]) ?? [];
    const args = [event.name, ...machine, ...settings(workflows[file] ?? ""), ...run, ...set, ...only];
    return startAct({ folder: repository.folder, args, env });
  };
  return {
    repository,
    github,
    emulator,
    folder,
    commit,
    otherHosts: cloud.others,
    start,
    run: (event, options) => start(event, options).ended,
    async close() {
      await Promise.all([emulator.close(), cloud.close(), github.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The workflow without the keys that act refuses, so that steps in the background run in turn, and without the ref of a checkout, with which act would fetch from
 * GitHub instead of copying what is checked out. Nothing waits for an approval or a group there anyway.
 */
function forAct(workflow: string): string {
  return workflow.replaceAll(
    /^ +(deployment: false|queue: max|background: true|- wait-all:|ref: \$\{\{ inputs\.ref \}\})( #.*)?\n/gm,
    "",
  );
}

function writeLines(file: string, lines: readonly object[]): string {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** The files that are checked out, for GitHub's API, which is asked only whether they exist. */
async function filesOf(repository: ReaderRepository): Promise<Record<string, string>> {
  const names = await repository.git("ls-files");
  return Object.fromEntries(names.split("\n").map((name) => [name, ""]));
}

/** The options that set what the workflow uses. @throws if it uses a name without a value */
function optionsFor(context: "vars" | "secrets", option: string, workflow: string, values: Values): string[] {
  const names = new Set(
    [...workflow.matchAll(new RegExp(`\\b${context}\\.(\\w+)`, "g"))].map(([, name]) => name),
  );
  return [...names].flatMap((name = "") => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`${context}.${name} has no value. Give it one in __tests__/workflows/values.ts.`);
    }
    return [option, `${name}=${value}`];
  });
}
