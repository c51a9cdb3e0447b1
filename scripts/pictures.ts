// `npm run pictures`: plays runs on virtual time, and makes pictures of their summaries and comments, as GitHub shows them, and
// of the emulator's page. Last, it records the demo. The pictures show what the action really writes, so draw them again if that
// changes. Needs a Chromium and Python; what else it needs is installed by npm and pip in a temporary folder.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium, takePicture } from "./pictures/chromium.ts";
import { drawEmulatorPage } from "./pictures/emulator-page.ts";
import { recordDemo } from "./pictures/recording.ts";
import { playRuns, type ShownRuns } from "./pictures/runs.ts";
import { type Frame, summaryPage, themes } from "./pictures/summary-page.ts";
import { messageOf, mustRun, root } from "./support/run.ts";

const packages = [
  ...["mermaid@12.3.0", "github-markdown-css@5.9.0", "@primer/octicons@19.42.0"],
  // Makes a third of a picture's size.
  "sharp-cli@6.1.0",
];

interface Picture {
  readonly name: keyof ShownRuns;
  readonly frame: Frame;
  /** Of the page: pages show two of the narrow ones side by side. */
  readonly width: number;
  /** Where the picture ends; by default with the Markdown. */
  readonly end?: RegExp;
  /** What the picture does not show. */
  readonly leftOut?: RegExp;
}

/** What happened, which names the first change. The table of all changes names it again. */
const firstChange = /^(?:Revision .*\n|(?:>.*\n)+)/m;

const pictures: readonly Picture[] = [
  { name: "success", frame: "summary", width: 560, end: /\n\| Archive \|/ },
  { name: "comment", frame: "comment", width: 560, end: /\n\| Archive \|/ },
  { name: "warning", frame: "comment", width: 760, end: /\n\| Deployment \|/, leftOut: firstChange },
  { name: "failure", frame: "summary", width: 900, end: /\n\| Deployment \|/ },
  { name: "comparison", frame: "summary", width: 900, end: /\n\| Deployment \|/ },
  { name: "check", frame: "summary", width: 900, end: /\n\| (Agent server|Log) \|/ },
  { name: "passed", frame: "summary", width: 560, end: /\n\| (Agent server|Log) \|/ },
  { name: "gate", frame: "summary", width: 900, end: /\n\| (Agent server|Log) \|/ },
];
const images = join(root, "docs", "images");

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
try {
  const chromium = findChromium(process.env);
  await mustRun("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages]);
  forgetNpmSettings();
  const runs = await playRuns();
  mkdirSync(images, { recursive: true });
  for (const { name, frame, width, end, leftOut = "" } of pictures) {
    const [shown = ""] = end === undefined ? [runs[name]] : runs[name].split(end);
    const markdown = shown.replace(leftOut, "");
    for (const theme of themes) {
      const html = summaryPage({ markdown, frame }, theme, folder);
      const drawn = join(folder, "drawn.png");
      await takePicture(chromium, { html, width, folder, picture: drawn });
      await save(drawn, `${name}-${theme}`);
    }
  }
  const drawn = await drawEmulatorPage(chromium, folder);
  for (const theme of themes) await save(drawn[theme], `emulator-page-${theme}`);
  const recorded = await recordDemo(folder);
  for (const theme of themes) copyFileSync(recorded[theme], join(images, `demo-${theme}.svg`));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** npm warns of settings of this machine that it does not know, and the log of an agent would show that. */
function forgetNpmSettings(): void {
  for (const name of Object.keys(process.env)) if (/^npm_/i.test(name)) delete process.env[name];
  process.env.npm_config_userconfig = devNull;
}

/** Makes a picture small, and keeps it. */
async function save(drawn: string, name: string): Promise<void> {
  const picture = join(images, `${name}.png`);
  const sharp = join(folder, "node_modules", ".bin", "sharp");
  await mustRun(sharp, ["--input", drawn, "--output", picture, ...["--palette", "--colours", "64"]]);
  console.log(`${picture}: ${statSync(picture).size} bytes`);
}
