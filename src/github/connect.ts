import type { WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import { GitHub } from "./client.ts";

/** GitHub as this run may use it, undefined without a token or outside a workflow. `requestTimeoutMs`: of one request. */
export function connectGitHub(
  token: string | undefined,
  requestTimeoutMs: number,
  run: WorkflowRun,
  ports: Ports,
): GitHub | undefined {
  if (token === undefined || run.repository === "") return undefined;
  return new GitHub({ token, repository: run.repository, requestTimeoutMs }, ports);
}
