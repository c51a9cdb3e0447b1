// `npm run test:browser [-- FILE …]`: tests of the emulator's page in the Chromium of this machine. The exit code is 2 if there
// is none.
import { findChromium } from "./pictures/chromium.ts";
import { messageOf, runJest } from "./support/run.ts";

try {
  const CHROMIUM = findChromium(process.env);
  process.exitCode = await runJest(
    ["--runInBand", "--testMatch", "**/__tests__/browser/*.browser.ts", "--", ...process.argv.slice(2)],
    { CHROMIUM },
  );
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
