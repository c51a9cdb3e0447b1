import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "../support/run.ts";

/** Nothing of the user's git settings, such as signing or hooks, and no question to answer. */
const gitVariables = {
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Demo",
  GIT_AUTHOR_EMAIL: "demo@example.com",
  GIT_COMMITTER_NAME: "Demo",
  GIT_COMMITTER_EMAIL: "demo@example.com",
};

/** A folder below examples/. */
export type Example = "agent" | "approval" | "langgraph" | "langgraph-python";

/** What somebody who tried an example may have left in its folder. */
const leftovers = /^(node_modules|\.venv|__pycache__|\.langgraph_api|.*\.egg-info)$/;

/** A git repository of one of the examples, with the branch `main`. */
export class AgentRepository {
  readonly url: string;
  readonly #source: string;
  readonly #folder: string;
  #commit = "";

  private constructor(source: string, folder: string) {
    this.#source = source;
    this.#folder = folder;
    this.url = pathToFileURL(folder).href;
  }

  /** Makes the repository in a folder that does not exist. */
  static async create(example: Example, folder: string): Promise<AgentRepository> {
    const source = join(root, "examples", example);
    await cp(source, folder, { recursive: true, filter: (path) => !leftovers.test(basename(path)) });
    const repository = new AgentRepository(source, folder);
    await repository.#git("init", "--quiet", "--initial-branch=main");
    await repository.#commitAll("The example");
    return repository;
  }

  /** The commit of the branch. */
  get commit(): string {
    return this.#commit;
  }

  /** From here on commits are made on a new branch. */
  async branch(name: string): Promise<void> {
    await this.#git("switch", "--quiet", "--create", name);
  }

  /** Commits `examples/agent` as another version, with texts replaced. @throws if a text is not there */
  async change(version: number, replacements: Readonly<Record<string, string>> = {}): Promise<void> {
    const changes = { 'version = "1"': `version = "${version}"`, ...replacements };
    await this.edit("agent.js", changes, `Version ${version}`);
  }

  /** Commits a file of the example with texts replaced. @throws if a text is not there */
  async edit(name: string, replacements: Readonly<Record<string, string>>, message: string): Promise<void> {
    const file = await readFile(join(this.#source, name), "utf8");
    const changed = Object.entries(replacements).reduce((text, [before, after]) => {
      if (!text.includes(before)) throw new Error(`${name} of the example has no ${before}`);
      return text.replaceAll(before, after);
    }, file);
    await writeFile(join(this.#folder, name), changed);
    await this.#commitAll(message);
  }

  async #commitAll(message: string): Promise<void> {
    await this.#git("add", "--all");
    await this.#git("commit", "--quiet", "--message", message);
    this.#commit = (await this.#git("rev-parse", "HEAD")).trim();
  }

  async #git(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("git", args, {
      cwd: this.#folder,
      env: { ...process.env, ...gitVariables },
    });
    return stdout;
  }
}
