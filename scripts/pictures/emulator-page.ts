import { join } from "node:path";
import { chromium } from "playwright-core";
import { type Emulator, type FaultRule, startEmulator } from "../../emulator/index.ts";
import { type Theme, themes } from "./summary-page.ts";

const queued = [
  { status: "CREATING", seconds: 2 },
  { status: "QUEUED", seconds: 4 },
];
const faults: FaultRule[] = [
  {
    kind: "statuses",
    repo_ref: "feature/memory",
    sequence: [...queued, { status: "BUILDING", seconds: 21 }, { status: "BUILD_FAILED" }],
  },
  {
    kind: "statuses",
    repo_ref: "main",
    sequence: [
      ...queued,
      { status: "BUILDING", seconds: 43 },
      { status: "DEPLOYING", seconds: 12 },
      { status: "DEPLOYED" },
    ],
  },
];

/** Draws the page of an emulator with a deployment that has a live revision and one that failed. @returns a PNG for each theme */
export async function drawEmulatorPage(
  executablePath: string,
  folder: string,
): Promise<Record<Theme, string>> {
  let now = Date.now();
  const emulator = await startEmulator({ platform: "langsmith", faults, now: () => now });
  const browser = await chromium.launch({ executablePath });
  try {
    const id = await deploy(emulator, (seconds) => {
      now += seconds * 1000;
    });
    const context = await browser.newContext({
      viewport: { width: 920, height: 700 },
      deviceScaleFactor: 1.5,
    });
    const page = await context.newPage();
    await page.goto(emulator.pageUrl ?? "");
    await page.waitForURL(`${emulator.url}/`);
    await page.goto(`${emulator.url}/page/deployments/${id}`);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText("You said: Hello").waitFor();
    // Without the part of the address that would scroll.
    await page.goto(`${emulator.url}/page/deployments/${id}`);
    await page.getByRole("status").getByText("live").waitFor();
    const paths = { light: join(folder, "page-light.png"), dark: join(folder, "page-dark.png") };
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: paths[theme], fullPage: true });
    }
    return paths;
  } finally {
    await browser.close();
    await emulator.close();
  }
}

/** @returns the id of the deployment */
async function deploy(emulator: Emulator, pass: (seconds: number) => void): Promise<string> {
  const send = async (method: string, path: string, body: object) => {
    const headers = {
      "x-api-key": emulator.apiKey,
      "x-tenant-id": emulator.workspaceId,
      "content-type": "application/json",
    };
    const response = await fetch(emulator.url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path} got ${response.status}: ${await response.text()}`);
  };
  await send("POST", "/v2/deployments", {
    name: "helpdesk",
    source: "github",
    source_config: {
      integration_id: "00000000-0000-4000-8000-000000000002",
      repo_url: "https://github.com/octo-org/octo-repo",
    },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: ["OPENAI_API_KEY", "DATABASE_URL"].map((name) => ({ name, value: "local" })),
  });
  pass(3600);
  const [deployment] = emulator.deployments();
  if (deployment === undefined) throw new Error("Nothing was deployed.");
  const ref = { source_revision_config: { repo_ref: "feature/memory" } };
  await send("PATCH", `/v2/deployments/${deployment.id}`, ref);
  pass(95);
  return deployment.id;
}
