/** The repository of somebody who uses the actions, as GitHub and as a checkout. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "../../../scripts/support/run.ts";

export type Files = Readonly<Record<string, string>>;

/** An agent whose server shows its version. Its state includes the question, as that of most graphs does. */
export function agentCode(version: number, capital = "Paris"): string {
  return [
    `export const version = "${version}";`,
    "export const findProblem = () => null;",
    `const answer = { role: "assistant", content: "${capital}" };`,
    "export const run = ({ messages }) => ({ messages: [...messages, answer] });",
    "",
  ].join("\n");
}

const packageOf = (start: string) =>
  JSON.stringify({
    type: "module",
    scripts: { start, prepare: "node --check agent.js" },
  });

/** What the action checks a smoke test's graph against. */
const configuration = JSON.stringify({ node_version: "24", graphs: { agent: "./agent.js:run" } });

/** An agent in a folder of its own, without the server. */
function agentFolder(folder: string): Files {
  return {
    [`${folder}/agent.js`]: agentCode(1),
    [`${folder}/langgraph.json`]: configuration,
    [`${folder}/package.json`]: packageOf("node server.js"),
  };
}

/** The server of examples/agent with an agent of its own, and two more in folders. */
const files: Files = {
  "agent.js": agentCode(1),
  "agent.json": "{}",
  "langgraph.json": configuration,
  "package.json": packageOf("node server.js"),
  ...agentFolder("agents/support"),
  ...agentFolder("agents/research"),
  // Good enough is what does not say "bad".
  "evaluate.sh": '#!/bin/sh\ncurl --fail --silent "$1/info" && ! grep bad agent.js\n',
};

export class ReaderRepository {
  /** A checkout. */
  readonly folder: string;
  readonly #home: string;

  private constructor(home: string, folder: string) {
    this.#home = home;
    this.folder = folder;
  }

  /**
   * Makes the repository `octo-org/octo-repo` with these files beside those of the agent. In the home folder `home`, git
   * finds it where GitHub's would be.
   */
  static async create(home: string, given: Files): Promise<ReaderRepository> {
    const github = join(home, "github");
    const repository = new ReaderRepository(home, join(home, "checkout"));
    const address = pathToFileURL(github).href;
    const settings = `[url "${address}/"]\n  insteadOf = https://github.com/\n[user]\n  name = Octocat\n  email = octocat@example.com\n`;
    await mkdir(repository.folder, { recursive: true });
    await writeFile(join(home, ".gitconfig"), settings);
    await repository.git("init", "--quiet", "--bare", join(github, "octo-org", "octo-repo"));
    await repository.git("init", "--quiet", "--initial-branch=main");
    await repository.git("remote", "add", "origin", "https://github.com/octo-org/octo-repo");
    for (const folder of ["", "agents/support", "agents/research"]) {
      await cp(join(root, "examples/agent/server.js"), join(repository.folder, folder, "server.js"));
    }
    await repository.commit({ ...files, ...given });
    return repository;
  }

  /** Commits files on the branch that is checked out, and pushes it. @returns the commit */
  async commit(changes: Files): Promise<string> {
    for (const [path, content] of Object.entries(changes)) {
      const file = join(this.folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      if (path.endsWith(".sh")) await chmod(file, 0o755);
    }
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "--message", "Change the agent");
    await this.git("push", "--quiet", "origin", "HEAD");
    return await this.git("rev-parse", "HEAD");
  }

  /** Checks out a branch, which is made if it does not exist. */
  async checkOut(branch: string): Promise<void> {
    const isThere = await this.git("branch", "--list", branch);
    await this.git("checkout", "--quiet", ...(isThere === "" ? ["-b"] : []), branch);
  }

  /** Checks out the merge of a branch into main, as GitHub does for a pull request. @returns the commit */
  async checkOutMerge(branch: string): Promise<string> {
    await this.git("checkout", "--quiet", "--detach", "main");
    await this.git("merge", "--quiet", "--no-ff", "--message", `Merge ${branch} into main`, branch);
    return await this.git("rev-parse", "HEAD");
  }

  /** What git printed, without the last line break. */
  async git(...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: this.#home, GIT_CONFIG_NOSYSTEM: "1" };
    const { stdout } = await promisify(execFile)("git", args, { cwd: this.folder, env });
    return stdout.trimEnd();
  }
}
