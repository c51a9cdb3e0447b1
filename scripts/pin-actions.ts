// `npm run release:pin`: makes the reusable workflow use the actions by the commit that is checked out, with the version of
// package.json beside it. Organizations that allow only pinned actions can then call the workflow of the next commit.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";

const path = ".github/workflows/deploy-agent.yml";
const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync("package.json", "utf8")),
);

// Other actions belong to `actions/`.
const ownUse = /(uses: (?!actions\/)[\w.-]+\/[\w.-]+(?:\/[\w-]+)?)@(?:v1|[0-9a-f]{40} # v[\d.]+)$/gm;
const workflow = readFileSync(path, "utf8");
const pinned = workflow.replaceAll(ownUse, `$1@${commit} # v${version}`);
if (pinned === workflow) throw new Error(`${path} uses no action of this repository by v1 or a commit.`);
writeFileSync(path, pinned);
console.log(`${path} uses the actions by ${commit}. Commit it as it is, and tag that commit v${version}.`);
