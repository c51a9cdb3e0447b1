// `npm run pictures`: plays the demo, and makes pictures of a job summary of it, as GitHub shows it, for the README, and of the
// emulator's page. Needs a Chromium; what a summary needs is installed from npm in a temporary folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playDemo } from "./demo/play-demo.ts";
import { findChromium, takePicture } from "./pictures/chromium.ts";
import { drawEmulatorPage } from "./pictures/emulator-page.ts";
import { summaryPage, themes } from "./pictures/summary-page.ts";
import { messageOf, mustRun, root } from "./support/run.ts";

const packages = [
  ...["mermaid@12.3.0", "github-markdown-css@5.9.0", "@primer/octicons@19.42.0"],
  // Makes a third of a picture's size.
  "sharp-cli@6.1.0",
];
const summary = "5-a-version-whose-first-run-fails.md";
const images = join(root, "docs", "images");

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
try {
  const chromium = findChromium(process.env);
  await mustRun("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages]);
  const summaries = join(folder, "summaries");
  await playDemo({ env: {}, folder: summaries, pollSeconds: 0.2, print: () => {} });
  const markdown = readFileSync(join(summaries, summary), "utf8");
  mkdirSync(images, { recursive: true });
  // The first screen of the README has room for the beginning: what failed and why.
  const pictures = { summary: markdown, "summary-start": markdown.slice(0, markdown.indexOf("\n| | |\n")) };
  for (const theme of themes) {
    for (const [name, content] of Object.entries(pictures)) {
      const drawn = join(folder, "drawn.png");
      await takePicture(chromium, { html: summaryPage(content, theme, folder), folder, picture: drawn });
      await save(drawn, `${name}-${theme}`);
    }
  }
  const drawn = await drawEmulatorPage(chromium, folder);
  for (const theme of themes) await save(drawn[theme], `emulator-page-${theme}`);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Makes a picture small, and keeps it. */
async function save(drawn: string, name: string): Promise<void> {
  const picture = join(images, `${name}.png`);
  const sharp = join(folder, "node_modules", ".bin", "sharp");
  await mustRun(sharp, ["--input", drawn, "--output", picture, ...["--palette", "--colours", "64"]]);
  console.log(`${picture}: ${statSync(picture).size} bytes`);
}
