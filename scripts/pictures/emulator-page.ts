import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { startAction } from "../../__tests__/support/runner/run-action.ts";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { root } from "../support/run.ts";
import { frameStyle, type Theme, themes } from "./summary-page.ts";

/** In CSS pixels: the narrowest page that still shows a question beside its answer. */
const width = 760;

/** Deploys the example, asks its agent, and draws the page. @returns a PNG for each theme */
export async function drawEmulatorPage(
  executablePath: string,
  folder: string,
): Promise<Record<Theme, string>> {
  const emulator = await startEmulator({ platform: "langsmith", run: {} });
  const browser = await chromium.launch({ executablePath });
  try {
    const id = await deploy(emulator, folder);
    const context = await browser.newContext({
      viewport: { width, height: 400 },
      deviceScaleFactor: 1.5,
      // The page would not allow the frame.
      bypassCSP: true,
    });
    const page = await context.newPage();
    await page.goto(emulator.pageUrl ?? "");
    await page.waitForURL(`${emulator.url}/`);
    await page.goto(`${emulator.url}/page/deployments/${id}`);
    await page.getByLabel("Input as JSON").fill('{ "question": "Who are you?" }');
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText("I am version 1").waitFor();
    // Without the part of the address that would scroll.
    await page.goto(`${emulator.url}/page/deployments/${id}`);
    await page.getByRole("status").getByText("live").waitFor();
    const paths = { light: join(folder, "page-light.png"), dark: join(folder, "page-dark.png") };
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.addStyleTag({ content: frameStyle(theme) });
      await page.screenshot({ path: paths[theme], fullPage: true });
    }
    return paths;
  } finally {
    await browser.close();
    await emulator.close();
  }
}

/** Deploys the example as the page's workflow does. @returns the id of the deployment */
async function deploy(emulator: Emulator, folder: string): Promise<string> {
  const workspace = join(folder, "my-agent");
  cpSync(join(root, "examples", "agent"), workspace, { recursive: true });
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: workspace });
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  const author = ["-c", "user.name=octo", "-c", "user.email=octo@example.com", "-c", "commit.gpgSign=false"];
  git(...author, "commit", "--quiet", "--message", "My first agent");
  // The page shows an address that readers know.
  const repository = "https://github.com/octo-org/my-agent";
  writeFileSync(join(folder, ".gitconfig"), `[url "${workspace}"]\n  insteadOf = ${repository}\n`);
  process.env.HOME = folder;
  const { result } = await startAction({
    action: "deploy",
    workspace,
    inputs: {
      platform: "langsmith",
      control_plane_url: emulator.url,
      api_key: emulator.apiKey,
      workspace_id: emulator.workspaceId,
      name: "my-agent",
      repo_url: repository,
      repo_ref: "main",
      app_config_path: "langgraph.json",
      integration_id: "00000000-0000-4000-8000-000000000002",
      secrets: "GREETING=Hello",
      health_check_path: "/ok",
      poll_interval_seconds: "1",
    },
  });
  const { conclusion, outputs, log } = await result;
  const id = outputs.deployment_id;
  if (conclusion === "failure" || id === undefined) throw new Error(log.lines.join("\n"));
  return id;
}
