import { actionsLogin, type GitHubStandIn } from "./github/github-stand-in.ts";

/** Adds the records of previews of pull requests 1001, 1002 and so on, which were deleted long ago. */
export function recordDeletedPreviews({ records }: GitHubStandIn, count: number): void {
  for (let number = 1001; number <= 1000 + count; number += 1) {
    const name = `octo-repo-7739a-pr-${number}`;
    const payload = { deployment_id: `d${number}`, revision_id: "r", name, pull_request: number };
    const task = `preview:${name}`;
    const { id } = records.add({ ref: "main", task, environment: "Preview", payload }, actionsLogin);
    records.addStatus(id, { state: "inactive" }, actionsLogin);
  }
}
