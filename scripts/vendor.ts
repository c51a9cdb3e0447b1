// `npm run test:vendor [-- FILE …]`: tests of the emulator with the platform vendor's own programs, as npm has them. All
// files of __tests__/vendor run, or those whose names contain one of the arguments.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, run } from "./support/run.ts";

/** The last version on npm whose client deploys. */
const PACKAGES = ["@langchain/langgraph-cli@1.5.1"];

const folder = mkdtempSync(join(tmpdir(), "vendor-"));
try {
  await mustRun("npm", [
    "install",
    "--prefix",
    folder,
    "--no-audit",
    "--no-fund",
    "--save-exact",
    ...PACKAGES,
  ]);
  process.exitCode = await run(
    "jest",
    ["--runInBand", "--testMatch", "**/__tests__/vendor/*.vendor.ts", "--", ...process.argv.slice(2)],
    {
      VENDOR_FOLDER: folder,
      NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning",
    },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
