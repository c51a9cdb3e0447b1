import type { RuleInput } from "../../../../emulator/misbehave/rules.ts";
import type { ActionName } from "../../../support/runner/run-action.ts";

/** Where a request goes that is in flight at a moment. */
export interface InFlight {
  readonly server: "platform" | "GitHub";
  readonly method: string;
  /** A regular expression for the path. */
  readonly path: string;
  /** Which of the matching requests it is, from 1. */
  readonly nth?: number;
}

/** A moment of a run at which it is cancelled: while this request is in flight. */
export interface Phase {
  readonly name: string;
  readonly action: ActionName;
  readonly during: InFlight;
  /** A deployment named `agent` is there already; for previews, pull request 7's. */
  readonly existing?: boolean;
  /** Goes wrong in every case, beside what the case itself spoils. */
  readonly rules?: readonly RuleInput[];
  readonly inputs?: Readonly<Record<string, string>>;
  /** The answer has no body that could come slowly. */
  readonly bodiless?: boolean;
  /** What is true of what is left on the platform, as the message says it. */
  readonly left: RegExp;
}

export const nothing = /Nothing had been sent to the platform that changes anything\./;
const started = /A revision of deployment \S+ may have been started; it goes on on the platform\./;
const goesOn = /Revision \S+ of deployment \S+ goes on on the platform\./;
const revision = "^/v2/deployments/[^/]+/revisions/[^/]+$";

export const phases: readonly Phase[] = [
  {
    name: "the look at the repository",
    action: "deploy",
    during: { server: "GitHub", method: "GET", path: "/contents/" },
    left: nothing,
  },
  {
    name: "the look for the name",
    action: "deploy",
    during: { server: "platform", method: "GET", path: "^/v2/deployments$" },
    left: nothing,
  },
  {
    name: "the create",
    action: "deploy",
    during: { server: "platform", method: "POST", path: "^/v2/deployments$" },
    left: started,
  },
  {
    name: "the update",
    action: "deploy",
    existing: true,
    during: { server: "platform", method: "PATCH", path: "^/v2/deployments/[^/]+$" },
    left: started,
  },
  {
    name: "the look for this run's revision",
    action: "deploy",
    existing: true,
    rules: [{ kind: "hide", match: { method: "PATCH" }, fields: ["latest_revision_id"] }],
    during: { server: "platform", method: "GET", path: "/revisions$", nth: 2 },
    left: started,
  },
  {
    name: "the record's creation",
    action: "deploy",
    during: { server: "GitHub", method: "POST", path: "/deployments$" },
    left: goesOn,
  },
  {
    name: "the comment's creation",
    action: "preview",
    during: { server: "GitHub", method: "POST", path: "/comments$" },
    left: goesOn,
  },
  {
    name: "a look at the revision",
    action: "preview",
    rules: [{ kind: "statuses", sequence: [{ status: "BUILDING" }] }],
    during: { server: "platform", method: "GET", path: revision },
    left: goesOn,
  },
  {
    name: "the look whether the revision is live",
    action: "deploy",
    during: { server: "platform", method: "GET", path: "^/v2/deployments/[^/]+$" },
    left: /Revision \S+ of deployment \S+ is DEPLOYED\./,
  },
  {
    name: "a deletion",
    action: "delete",
    existing: true,
    during: { server: "platform", method: "DELETE", path: "^/v2/deployments/" },
    bodiless: true,
    left: /The deletion of deployment \S+ may have taken effect\./,
  },
  {
    name: "a preview's deletion",
    action: "preview",
    existing: true,
    during: { server: "platform", method: "DELETE", path: "^/v2/deployments/" },
    bodiless: true,
    left: /The deletion of deployment \S+ may have taken effect\./,
  },
  {
    name: "a sweep's second deletion",
    action: "sweep",
    existing: true,
    during: { server: "platform", method: "DELETE", path: "^/v2/deployments/", nth: 2 },
    bodiless: true,
    left: /The deletion of deployment \S+ may have taken effect\./,
  },
  {
    name: "an OAuth provider's update",
    action: "oauth-provider",
    during: { server: "platform", method: "PATCH", path: "^/v2/auth/providers/" },
    left: /The update of OAuth provider \S+ may have taken effect\./,
  },
  {
    name: "a CSV export",
    action: "usage",
    during: { server: "platform", method: "GET", path: "/export$" },
    left: /A report changes nothing on the platform\./,
  },
];
