import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { mustRun, root } from "../support/run.ts";
import { type Theme, themes } from "./summary-page.ts";

/** A fork of termtosvg, which is no longer maintained. */
const recorder = "termtosvg-ng==1.4.1";

const screen = { columns: 82, rows: 26 };

/** In seconds. The demo scrolls at the speed of a fast reader, and rests where something has ended. */
const delays = { lines: 0.15, result: 1.5, chapter: 2.5, end: 5 };
/** How many lines appear at once. Each time makes the file larger. */
const linesAtOnce = 3;

/** The colours of GitHub's pages: of text, of the page, and of a terminal, of which the demo uses the first nine. */
const colours = {
  light: ["#1f2328", "#f6f8fa", "#1f2328 #cf222e #116329 #7d4e00 #0550ae #8250df #1b7c83 #1f2328 #59636e"],
  dark: ["#e6edf3", "#161b22", "#e6edf3 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #e6edf3 #9198a1"],
} as const;

/** Plays the demo, and makes an animation of its terminal. Needs Python 3.10 or newer. @returns an SVG for each theme */
export async function recordDemo(folder: string): Promise<Record<Theme, string>> {
  const cast = join(folder, "demo.cast");
  writeFileSync(cast, castOf(await demoOutput()));
  const environment = join(folder, "python");
  await mustRun("python3", ["-m", "venv", environment]);
  await mustRun(join(environment, "bin", "pip"), ["install", "--quiet", recorder]);
  const paths = { light: join(folder, "demo-light.svg"), dark: join(folder, "demo-dark.svg") };
  for (const theme of themes) {
    const template = join(folder, `template-${theme}.svg`);
    writeFileSync(template, templateOf(theme));
    const options = ["--template", template, "--loop-delay", String(delays.end * 1000)];
    await mustRun(join(environment, "bin", "termtosvg"), ["render", cast, paths[theme], ...options]);
    writeFileSync(paths[theme], withStillFrame(readFileSync(paths[theme], "utf8")));
  }
  return paths;
}

/** What people see of an animation that is printed or does not start: a step that has rolled back. @throws if there is none */
function withStillFrame(animation: string): string {
  const useOf = (text: string) => {
    const [, id] = new RegExp(`<g id="(g\\d+)">(?:(?!</g>).)*${text}`).exec(animation) ?? [];
    return `href="#${id}"`;
  };
  const [rolledBack, ended] = [useOf("Rollback: DEPLOYED"), useOf("Conclusion: failure")];
  const frames = animation.split("<g><use ").slice(1);
  const index = frames.findIndex((frame) => frame.includes(rolledBack) && frame.includes(ended));
  const [offset] = [...animation.matchAll(/translateY\((-?\d+)px\)/g)].slice(index).map(([, y]) => y);
  if (index < 0 || offset === undefined) throw new Error("The demo shows no step that has rolled back.");
  return animation.replace('<g id="screen_view">', `<g id="screen_view" transform="translate(0 ${offset})">`);
}

async function demoOutput(): Promise<string> {
  const demo = spawn(process.execPath, [join(root, "scripts", "demo.ts")], {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(demo.stdout), once(demo, "close")]);
  if (code !== 0) throw new Error(`The demo failed with exit code ${code}`);
  return output;
}

/** The output in the format of asciinema (https://docs.asciinema.org/manual/asciicast/v2/). */
function castOf(output: string): string {
  let seconds = 0;
  const events: [number, "o", string][] = [];
  const show = (lines: readonly string[], delay: number) => {
    events.push([seconds, "o", lines.map((line) => `${withGrey(line)}\r\n`).join("")]);
    seconds += delay;
  };
  show(["$ npm run demo"], delays.result);
  for (const chapter of output.trim().split(/\n\n(?=[^\n]*━━ \d)/)) {
    // What the demo found out is cyan.
    const end = chapter.indexOf("\n\n\x1b[36m");
    const lines = ["", ...chapter.slice(0, end).split("\n")];
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      show(lines.slice(start, start + linesAtOnce), delays.lines);
    }
    seconds += delays.result;
    show(chapter.slice(end + 1).split("\n"), delays.chapter);
  }
  const header = { version: 2, width: screen.columns, height: screen.rows };
  return [header, ...events].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** The recorder draws nothing fainter, so what is faint is grey. */
function withGrey(line: string): string {
  return line.replaceAll("\x1b[2m", "\x1b[90m").replaceAll("\x1b[22m", "\x1b[22;39m");
}

/** A template of termtosvg (https://github.com/nbedos/termtosvg/blob/develop/man/termtosvg-templates.md). */
function templateOf(theme: Theme): string {
  const [foreground, background, palette] = colours[theme];
  const [width, height] = [screen.columns * 8, screen.rows * 17];
  const padding = 16;
  const rules = palette.split(" ").map((colour, index) => `.color${index} { fill: ${colour}; }`);
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:termtosvg="https://github.com/nbedos/termtosvg" id="terminal" baseProfile="full" viewBox="0 0 ${width + 2 * padding} ${height + 2 * padding}" width="${width + 2 * padding}" version="1.1">
<defs>
<termtosvg:template_settings>
<termtosvg:screen_geometry columns="${screen.columns}" rows="${screen.rows}"/>
<termtosvg:animation type="css"/>
</termtosvg:template_settings>
<style type="text/css" id="generated-style"></style>
<style type="text/css" id="user-style">
.foreground { fill: ${foreground}; }
.background { fill: ${background}; }
${rules.join("\n")}
@media (prefers-reduced-motion: reduce) { #screen_view { animation: none; } }
</style>
</defs>
<rect class="background" width="100%" height="100%" rx="6"/>
<svg id="screen" x="${padding}" y="${padding}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMin slice"></svg>
</svg>
`;
}
