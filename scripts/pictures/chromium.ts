import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The path of a Chromium: the variable CHROMIUM, else one on PATH or at a usual place. @throws if there is none */
export function findChromium({ CHROMIUM, PATH = "" }: NodeJS.ProcessEnv): string {
  const onPath = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = (CHROMIUM ? [CHROMIUM] : [...onPath, ...elsewhere]).find((file) => existsSync(file));
  if (found === undefined) {
    throw new Error(
      `There is no Chromium${CHROMIUM ? ` at ${CHROMIUM}` : ""}. Install it, for example with \`apt-get install chromium\`, or set CHROMIUM to its path.`,
    );
  }
  return found;
}

/** It asks nobody for anything. `--no-sandbox`: for containers, where it can't make one. */
const quiet = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  ...[
    "--allow-file-access-from-files",
    "--hide-scrollbars",
    "--disable-lcd-text",
    "--font-render-hinting=none",
  ],
  // Also while it measures: text that is drawn larger may break its lines elsewhere.
  "--force-device-scale-factor=1.5",
];

/** Ends a page that draws for ever, in milliseconds. */
const drawingMs = 10_000;

interface PictureOptions {
  /** Sets `data-height` of its body once it is complete. */
  readonly html: string;
  /** Of the page, in its own pixels. */
  readonly width: number;
  /** For temporary files. */
  readonly folder: string;
  readonly picture: string;
}

/** Saves a page as a PNG of its whole height. @throws if it can't be drawn */
export async function takePicture(
  chromium: string,
  { html, width, folder, picture }: PictureOptions,
): Promise<void> {
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  const open = async (...options: readonly string[]) => {
    const profile = mkdtempSync(join(folder, "profile-"));
    const timing = [`--virtual-time-budget=${drawingMs}`];
    const all = [...quiet, ...timing, `--user-data-dir=${profile}`, ...options, pathToFileURL(file).href];
    return await promisify(execFile)(chromium, all, { maxBuffer: 2 ** 26 });
  };
  const { stdout } = await open(`--window-size=${width},800`, "--dump-dom");
  const [, height] = /data-height="(\d+)"/.exec(stdout) ?? [];
  if (height === undefined) throw new Error("The page was not drawn.");
  await open(`--window-size=${width},${height}`, `--screenshot=${picture}`);
}
