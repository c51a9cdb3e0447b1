/** A job of this project's own workflows. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/support/run.ts";
import { type ActRun, startAct } from "./act.ts";
import { push } from "./events.ts";
import { killProcesses } from "./kill-processes.ts";
import { localRepositories } from "./local-actions.ts";

/** Runs a job for a push of the commit that is checked out, with the files as they are. */
export async function runOwnJob(file: string, job: string): Promise<ActRun> {
  const folder = mkdtempSync(join(tmpdir(), "workflows-"));
  try {
    const path = `.github/workflows/${file}`;
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
    const event = push(commit);
    const eventPath = join(folder, "event.json");
    writeFileSync(eventPath, JSON.stringify(event.payload));
    // The jobs use it by its folder.
    const setUp = readFileSync(join(root, ".github/actions/setup/action.yml"), "utf8");
    const args = [
      ...[event.name, "--job", job, "--workflows", path, "--eventpath", eventPath],
      ...["--platform", "ubuntu-latest=-self-hosted", "--no-cache-server", "--secret", "GITHUB_TOKEN="],
      ...["--env", "GITHUB_REPOSITORY=octo-org/octo-repo"],
      ...["--action-offline-mode", "--action-cache-path", join(folder, "cache")],
      ...localRepositories(`${readFileSync(join(root, path), "utf8")}${setUp}`, root),
    ];
    return await startAct({ folder: root, args, env: { ...process.env, ACT_DISABLE_VERSION_CHECK: "1" } })
      .ended;
  } finally {
    // act does not end what the steps leave running, as the runner does.
    killProcesses("emulator/cli.ts", folder);
    rmSync(folder, { recursive: true, force: true });
  }
}
