// Stand-in for actions/upload-artifact.
import { statSync } from "node:fs";
import { join } from "node:path";

const { GITHUB_WORKSPACE, INPUT_NAME, INPUT_PATH } = process.env;
for (const path of INPUT_PATH.trim().split("\n")) {
  const { size } = statSync(join(GITHUB_WORKSPACE, path.trim()));
  console.log(`Artifact ${INPUT_NAME}: ${path.trim()}${size > 0 ? "" : ", empty"}`);
}
