/** Real git repositories with agents, in temporary folders. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** An agent that says which version it is and how it was started. Its start command is `node agent.mjs`. */
export function agentFile(version: string): string {
  return `import { readFileSync } from "node:fs";
import { createServer } from "node:http";
const server = createServer((request, response) => {
  if (request.url === "/exit") process.exit(3);
  if (request.url === "/slow") return;
  if (request.url.startsWith("/read/")) return void response.end(readFileSync(request.url.slice(6)));
  if (request.url === "/delayed") return void setTimeout(() => response.end("late"), 100);
  if (request.url === "/stop-listening") return void server.close().closeAllConnections();
  const { LANGSMITH_HOST_REVISION_ID: revision, ...env } = process.env;
  response.end(JSON.stringify({ version: ${JSON.stringify(version)}, revision, pid: process.pid, env }));
});
server.listen(process.env.PORT, process.env.HOST);
setInterval(() => {}, 1000);
`;
}

export const START_COMMAND = "exec node agent.mjs";

export interface Repository {
  /** A local path. */
  readonly path: string;
  /** Commits these files on a branch, in place of all others; undefined removes one. @returns the commit */
  commit(files: Readonly<Record<string, string>>, branch?: string): string;
  git(...args: string[]): string;
}

/** A repository whose first commit is an agent of version 1 on the branch main. */
export function createRepository(folder: string): Repository {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@agents.example", ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const repository: Repository = {
    path: folder,
    git,
    commit(files, branch = "main") {
      git("checkout", "--quiet", "-B", branch);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        rmSync(join(folder, name), { force: true });
        writeFileSync(join(folder, name), text);
      }
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "Change");
      return git("rev-parse", "HEAD");
    },
  };
  git("init", "--quiet", "--initial-branch=main");
  repository.commit({ "agent.json": "{}", "agent.mjs": agentFile("1") });
  return repository;
}
