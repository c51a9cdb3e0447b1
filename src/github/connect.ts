import type { Context } from "../context.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import { GitHub } from "./client.ts";

/** GitHub as this run may use it, undefined without a token or outside a workflow. `requestTimeoutMs`: of one request. */
export function connectGitHub(
  token: string | undefined,
  requestTimeoutMs: number,
  run: WorkflowRun,
  context: Context,
): GitHub | undefined {
  if (token === undefined || run.repository === "") return undefined;
  return new GitHub({ token, repository: run.repository, requestTimeoutMs }, context);
}
