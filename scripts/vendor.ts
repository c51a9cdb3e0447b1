// `npm run test:vendor [-- FILE …]`: tests of the emulator with the platform vendor's own programs, as npm and the package
// index of Python have them. It needs Python 3.11. All files of __tests__/vendor run, or those whose names contain one of the
// arguments.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, runJest } from "./support/run.ts";

/** The last version on npm whose client deploys, and package managers that the emulator builds with. */
const PACKAGES = ["@langchain/langgraph-cli@1.5.1", "yarn@1.22.22", "pnpm@10.24.0"];

/** The versions with which the tests were written. They also hold for what the emulator installs. */
const PYTHON_PACKAGES = ["langgraph-cli==0.4.40", "langgraph-api==0.16.7", "langgraph==1.2.22"];
const UV = "uv==0.13.9";

/** Installs packages into a new environment, which has no other. */
async function installPython(environment: string, packages: readonly string[]): Promise<void> {
  await mustRun("python3", ["-m", "venv", environment]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await mustRun(join(environment, "bin", "python"), [...pip, ...packages]);
}

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
  await installPython(join(folder, "python"), PYTHON_PACKAGES);
  await installPython(join(folder, "uv"), [UV]);
  const constraints = join(folder, "constraints.txt");
  writeFileSync(constraints, `${PYTHON_PACKAGES.join("\n")}\n`);
  process.exitCode = await runJest(
    ["--runInBand", "--testMatch", "**/__tests__/vendor/*.vendor.ts", "--", ...process.argv.slice(2)],
    {
      VENDOR_FOLDER: folder,
      PIP_CONSTRAINT: constraints,
      UV_CONSTRAINT: constraints,
    },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
