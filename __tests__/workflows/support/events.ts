/** Events as GitHub sends them: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
import { example } from "../../support/github/description.ts";
import type { WorkflowEvent } from "../../support/runner/step-environment.ts";

const fullName = "octo-org/octo-repo";

function repository() {
  const shape = Object(Object(example("pull-request")).base.repo);
  const url = `https://github.com/${fullName}`;
  const owner = { ...shape.owner, login: "octo-org" };
  return { ...shape, owner, name: "octo-repo", full_name: fullName, html_url: url, default_branch: "main" };
}

const sender = { login: "octocat", type: "User" };
const common = () => ({ repository: repository(), sender });

/** A push of a commit, to `refs/heads/main` or another ref. */
export function push(sha: string, ref = "refs/heads/main"): WorkflowEvent {
  const change = { ref, before: "0".repeat(40), after: sha, created: false, deleted: false, forced: false };
  return { name: "push", payload: { ...common(), ...change, head_commit: { id: sha }, commits: [] } };
}

export function schedule(cron: string): WorkflowEvent {
  return { name: "schedule", payload: { ...common(), schedule: cron } };
}

/** Somebody started the workflow by hand. In the event, a boolean is a text, too. */
export function dispatch(inputs: Readonly<Record<string, string>>): WorkflowEvent {
  return { name: "workflow_dispatch", payload: { ...common(), ref: "refs/heads/main", inputs } };
}

export function release(tag: string): WorkflowEvent {
  const published = { tag_name: tag, target_commitish: "main", draft: false, prerelease: false };
  return { name: "release", payload: { ...common(), action: "published", release: published } };
}

/** The merge queue wants its commit to be checked. */
export function mergeGroup(sha: string, ref: string): WorkflowEvent {
  const group = { head_sha: sha, head_ref: ref, base_ref: "refs/heads/main" };
  return { name: "merge_group", payload: { ...common(), action: "checks_requested", merge_group: group } };
}
