// `npm run demo [-- --langgraph]`: shows the bundled action at work, on the emulator or on a control plane of your own.
import { rmSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { playDemo, playLangGraphDemo } from "./demo/play-demo.ts";
import { messageOf, root } from "./support/run.ts";

const folder = join(root, "demo-output");

process.on("SIGINT", () => console.log("\nInterrupted. The demo ends once it has cleaned up."));
rmSync(folder, { recursive: true, force: true });
try {
  const { values } = parseArgs({ options: { langgraph: { type: "boolean", default: false } } });
  const play = values.langgraph ? playLangGraphDemo : playDemo;
  await play({ env: process.env, folder, pollSeconds: 1, print: (line) => console.log(line) });
  console.log(`\nAll as expected. The job summaries are in ${relative(process.cwd(), folder) || "."}/`);
} catch (error) {
  console.error(`\n${messageOf(error)}`);
  process.exitCode = 1;
}
