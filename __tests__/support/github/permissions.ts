import { type ApiResponse, errorResponse, notFound } from "./api-response.ts";

export type Level = "none" | "read" | "write";
export type Permission = "contents" | "deployments" | "issues" | "pull_requests";
export type Permissions = Readonly<Record<Permission, Level>>;

export const allWritable: Permissions = {
  contents: "write",
  deployments: "write",
  issues: "write",
  pull_requests: "write",
};

const ranks: Readonly<Record<Level, number>> = { none: 0, read: 1, write: 2 };

export function permits(permissions: Permissions, permission: Permission, level: Level): boolean {
  return ranks[permissions[permission]] >= ranks[level];
}

/** Any of these permissions is enough for an operation. */
function sufficientFor(template: string): readonly Permission[] {
  if (template.includes("/deployments")) return ["deployments"];
  if (template.includes("/issues/")) return ["issues", "pull_requests"];
  return template.includes("/pulls/") ? ["pull_requests"] : ["contents"];
}

/**
 * GitHub's response if the token lacks the permission. `isHidden`: reads find nothing then, as with private
 * repositories at times.
 */
export function refusal(
  method: string,
  template: string,
  permissions: Permissions,
  isHidden: boolean,
): ApiResponse | undefined {
  const level = method === "GET" ? "read" : "write";
  const sufficient = sufficientFor(template);
  if (sufficient.some((permission) => permits(permissions, permission, level))) return undefined;
  if (isHidden && method === "GET") return notFound();
  return errorResponse(403, "Resource not accessible by integration");
}
