// docs/try-locally.md, done as it says, in an empty folder: with a real `npm ci`, and on the port that it names.
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { root } from "../../scripts/support/run.ts";

const page = await readFile(join(root, "docs/try-locally.md"), "utf8");
const [prepare = "", makeAgent = "", runAct = "", ask = ""] = blocks("sh");
const [workflow = ""] = blocks("yaml");
const folder = await mkdtemp(join(tmpdir(), "try-locally-"));
const agent = join(folder, "my-agent");
const emulators: ChildProcessByStdio<null, Readable, null>[] = [];

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );
}

/** The reader's machine: `act` is on PATH, and Git finds the commit that is checked out at the repository's address. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  const settings = join(folder, ".gitconfig");
  const address = pathToFileURL(root).href;
  const user = "[user]\n  name = Reader\n  email = reader@example.com\n";
  await writeFile(settings, `${user}[url "${address}"]\n  insteadOf = https://github.com/OWNER/REPO\n`);
  const { ACT = "act", PATH = "" } = process.env;
  const path = isAbsolute(ACT) ? [dirname(ACT), PATH].join(delimiter) : PATH;
  return { ...process.env, PATH: path, GIT_CONFIG_GLOBAL: settings, ACT_DISABLE_VERSION_CHECK: "1" };
}

async function bash(script: string, cwd: string, variables: Record<string, string> = {}) {
  const env = { ...(await environment()), ...variables };
  return await promisify(execFile)("bash", ["-euc", script], { cwd, env, maxBuffer: 2 ** 26 });
}

afterAll(async () => {
  for (const { pid, exitCode, stdout } of emulators) {
    if (pid === undefined || exitCode !== null) continue;
    const closed = once(stdout, "close");
    // Ctrl+C reaches npm and the emulator.
    process.kill(-pid, "SIGINT");
    await closed;
  }
  await rm(folder, { recursive: true, force: true });
});

test("from an empty folder to an agent that answers, with the commands of the page", async () => {
  const commands = prepare.trimEnd().split("\n");
  const start = commands.pop() ?? "";
  await bash(commands.join("\n"), folder);
  const emulator = spawn("bash", ["-c", start], {
    cwd: folder,
    env: await environment(),
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  emulators.push(emulator);
  const [firstOutput] = await Promise.race([once(emulator.stdout, "data"), once(emulator, "exit")]);
  expect(String(firstOutput)).toMatch(/^emulator listening on http:\/\/127\.0\.0\.1:8124\n/);
  await bash(makeAgent, folder);
  await mkdir(join(agent, ".github/workflows"), { recursive: true });
  await writeFile(join(agent, ".github/workflows/deploy.yml"), workflow);

  const { stdout } = await bash(runAct, agent);
  const [, url = ""] = /Your agent is live at (http:\S+)/.exec(stdout) ?? [];
  const answer = await bash(ask, agent, { URL: url });

  expect(stdout).not.toMatch(/::(warning|error)/);
  expect(JSON.parse(answer.stdout)).toMatchObject({ answer: "Hello! I am version 1." });
}, 600_000);

test("the next version takes over at the same URL, and a mistake fails the job", async () => {
  const code = await readFile(join(agent, "agent.js"), "utf8");
  await writeFile(join(agent, "agent.js"), code.replace('version = "1"', 'version = "2"'));
  const { stdout } = await bash(runAct, agent);
  const [, url = ""] = /Your agent is live at (http:\S+)/.exec(stdout) ?? [];
  await writeFile(join(agent, "agent.js"), "this is no JavaScript");
  const broken = await bash(runAct, agent).catch((error: { stdout: string }) => error);
  const answer = await bash(ask, agent, { URL: url });

  expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining("SyntaxError") });
  expect(JSON.parse(answer.stdout)).toMatchObject({ answer: "Hello! I am version 2." });
}, 120_000);
