// `npm run demo [-- --langgraph | --python | --compare]`: shows the bundled action at work, on the emulator or on a control plane of your own.
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { playCompareDemo, playDemo, playLangGraphDemo, playPythonDemo } from "./demo/play-demo.ts";
import { messageOf } from "./support/run.ts";

const folder = resolve("demo-output");

const interruption = new AbortController();
const sayGoodbye = () => console.log("\nInterrupted. The demo ends once it has cleaned up.");
// A terminal sends it to the step, too.
process.on("SIGINT", sayGoodbye);
for (const signal of ["SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    sayGoodbye();
    interruption.abort(new Error("The demo was interrupted."));
  });
}
rmSync(folder, { recursive: true, force: true });
try {
  const { values } = parseArgs({
    options: { langgraph: { type: "boolean" }, python: { type: "boolean" }, compare: { type: "boolean" } },
  });
  const plays = [
    ...(values.compare ? [playCompareDemo] : []),
    ...(values.python ? [playPythonDemo] : []),
    ...(values.langgraph ? [playLangGraphDemo] : []),
  ];
  const [play = playDemo] = plays;
  const { signal } = interruption;
  await play({ env: process.env, folder, pollSeconds: 1, print: (line) => console.log(line), signal });
  const nextPage = values.compare ? "docs/previews.md" : "docs/try-locally.md";
  console.log(
    `\nAll as expected. The job summaries are in demo-output/\nNext, with your own agent: ${nextPage}`,
  );
} catch (error) {
  console.error(`\n${messageOf(error)}`);
  process.exitCode = 1;
}
