// Stand-in for actions/setup-node.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(process.env.GITHUB_WORKSPACE, process.env["INPUT_NODE-VERSION-FILE"]);
const wanted = readFileSync(file, "utf8").trim();
if (process.versions.node !== wanted) {
  console.log(`::error::Node.js ${process.versions.node} is on PATH, not ${wanted}.`);
  process.exitCode = 1;
}
