import { type Answer, errorAnswer, notFound } from "./answer.ts";

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

/** Whether a token of these permissions may do what takes this level of one. */
export function permits(permissions: Permissions, permission: Permission, level: Level): boolean {
  return ranks[permissions[permission]] >= ranks[level];
}

/** Which permissions suffice for an operation, any one of them; none for what every token may do. */
function sufficient(template: string): readonly Permission[] {
  if (/^\/repos\/\{owner\}\/\{repo\}\/deployments/u.test(template)) {
    return ["deployments"];
  }
  if (template.includes("/issues/")) {
    return ["issues", "pull_requests"];
  }
  if (template.includes("/pulls/")) {
    return ["pull_requests"];
  }
  return /\/(?:contents|git|branches|commits)\//u.test(template) ? ["contents"] : [];
}

/**
 * GitHub's refusal when the token lacks the permission, if it does. `hidden`: what it may not even read is answered
 * as if it weren't there, as GitHub does for private repositories at times.
 */
export function refusal(
  method: string,
  template: string,
  permissions: Permissions,
  hidden: boolean,
): Answer | undefined {
  const needed = method === "GET" ? "read" : "write";
  const any = sufficient(template);
  if (any.length === 0 || any.some((permission) => permits(permissions, permission, needed))) {
    return undefined;
  }
  if (hidden && method === "GET") {
    return notFound();
  }
  const accepted = any.map((permission) => `${permission}=${needed}`).join("; ");
  return errorAnswer(403, "Resource not accessible by integration", {
    "x-accepted-github-permissions": accepted,
  });
}
