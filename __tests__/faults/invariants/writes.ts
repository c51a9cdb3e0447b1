import type { ProxiedRequest } from "../faulty-proxy.ts";

/** Whether it is a create or an update of a deployment. */
export function isDeploymentWrite(request: ProxiedRequest): boolean {
  const { method, path } = request;
  return ["POST", "PATCH"].includes(method) && path.startsWith("/v2/deployments") && !isRedeploy(request);
}

/** Whether it deploys an earlier revision again. */
export function isRedeploy({ path }: ProxiedRequest): boolean {
  return path.endsWith("/redeploy");
}

/** Whether a write that was answered so surely didn't happen. */
export function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
