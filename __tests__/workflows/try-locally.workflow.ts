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
import { firstWorkflowOn } from "./support/page-workflow.ts";

const page = await readFile(join(root, "docs/try-locally.md"), "utf8");
const scripts = blocks("sh");
const [prepare = "", useNode = "", makeReadmeAgent = "", runReadme = "", copyPreview = "", runPreview = ""] =
  scripts;
const promote = scripts.find((script) => script.includes("run_act push --workflows ../promote.yml")) ?? "";
const rollBack = scripts.find((script) => script.includes("revision_id=ID")) ?? "";
const [event = ""] = blocks("json");
const folder = await mkdtemp(join(tmpdir(), "try-locally-"));
const readmeAgent = join(folder, "langgraph-agent");
const emulators: ChildProcessByStdio<null, Readable, null>[] = [];

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );
}

/** Saves what the page says to save, in an agent's repository. */
async function save(path: string, text: string, repository = readmeAgent): Promise<void> {
  await mkdir(dirname(join(repository, path)), { recursive: true });
  await writeFile(join(repository, path), text);
}

const liveAt = (log: string) => /is live at (http:\/\/[^\s:]+:\d+)/.exec(log)?.[1] ?? "";

/** The function with which the page runs act. */
const runAct = /^run_act\(\) \{\n.*?^\}\n/ms.exec(runReadme)?.[0] ?? "";

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

test("from an empty folder to a green deploy, with the commands of the page and the README's workflow", async () => {
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
  expect((await bash(`${useNode}node --version`, folder)).stdout).toMatch(/^v24\./);
  await bash(makeReadmeAgent, folder);
  await save(".github/workflows/deploy.yml", firstWorkflowOn("README.md")); // in the README's agent

  const { stdout } = await bash(runReadme, readmeAgent);

  expect(stdout).toContain("Created deployment my-agent ");
  expect(stdout).toContain("smoke test `knows the capital`");
}, 600_000);

test("the event of the page opens, changes and closes a preview, which is compared with production", async () => {
  const saveEvent = async (action: string) =>
    await save("../event.json", event.replace('"opened"', `"${action}"`), readmeAgent);
  await bash(copyPreview, readmeAgent);
  await saveEvent("opened");
  const opened = await bash(runAct + runPreview, readmeAgent);
  await saveEvent("synchronize");
  const changed = await bash(runAct + runPreview, readmeAgent);
  await saveEvent("closed");
  const closed = await bash(runAct + runPreview, readmeAgent);

  expect(opened.stdout).toMatch(/::warning::github_token is empty: this run writes nothing to GitHub/);
  expect(opened.stdout).toContain("Created deployment my-agent-21d3c-pr-1 ");
  expect(opened.stdout).toContain("no breaking change");
  expect(liveAt(changed.stdout)).toBe(liveAt(opened.stdout));
  expect(closed.stdout).toContain("Deployment my-agent-21d3c-pr-1 was deleted, with its tracing project.");
}, 600_000);

test("ready workflows promote and roll back, and send nothing to the real platform", async () => {
  const { stdout } = await bash(runAct + promote, readmeAgent);
  const [, previous = ""] = [...stdout.matchAll(/Previous revision \| `([^`]+)`/g)].at(-1) ?? [];
  const rolledBack = await bash(
    runAct + rollBack.replace("revision_id=ID", `revision_id=${previous}`),
    readmeAgent,
  );
  const copies = await Promise.all(
    ["preview.yml", "promote.yml", "rollback.yml"].map((name) => readFile(join(folder, name), "utf8")),
  );

  expect(stdout).toContain("Created deployment my-agent-staging ");
  expect(rolledBack.stdout).toContain(`The content of revision ${previous} is live again`);
  for (const copy of copies) {
    expect(copy).not.toMatch(/region:|deployment: false/);
    expect(copy).toMatch(/\n {10}control_plane_url: \$\{\{ vars\.CONTROL_PLANE_URL \}\}\n {10}api_key:/);
  }
}, 600_000);

test("Ctrl+C leaves a revision that the post step reports", async () => {
  const act = spawn("bash", ["-c", runReadme], {
    cwd: readmeAgent,
    env: await environment(),
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let log = "";
  act.stdout.on("data", (data: Buffer) => {
    const isFirst = !log.includes("BUILDING");
    log += data.toString();
    if (isFirst && log.includes("BUILDING") && act.pid !== undefined) process.kill(-act.pid, "SIGINT");
  });
  await once(act.stdout, "close");

  expect(log).toMatch(
    /::error title=Deploy my-agent%3A killed::.* is still running on the platform, and may go live without checks or a rollback\./,
  );
}, 120_000);
