import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import type { ActionName } from "../../support/runner/run-action.ts";

/** A request that is in flight. */
export interface InFlight {
  readonly server: "platform" | "GitHub";
  readonly method: string;
  /** A regular expression for the path. */
  readonly path: string;
  /** Which of the matching requests, counted from 1. */
  readonly nth?: number;
}

/** A moment at which a run is cancelled: while this request is in flight. */
export interface Phase {
  readonly name: string;
  readonly action: ActionName;
  readonly during: InFlight;
  /** Whether the deployment `agent` exists before the run; for previews, that of pull request 7. */
  readonly existing?: boolean;
  /** Rules for the emulator besides the fault of the request in flight. */
  readonly rules?: readonly FaultRule[];
  readonly inputs?: Readonly<Record<string, string>>;
  /** Whether the response has no body, which could not arrive slowly then. */
  readonly bodiless?: boolean;
  /** What the run is allowed to send to the platform after the signal. */
  readonly writesAfterSignal?: readonly string[];
  /** What the error and the summary say about the platform. */
  readonly leftover: RegExp;
  /** What the post step says of a killed step, which could not interrupt its revision; without it, the same. */
  readonly leftoverIfKilled?: RegExp;
}

export const noChanges = /No changes were sent/;
const mayBeRunning = /revision from the update of \S+ may still be running/;
const isRunning = /Revision \S+ of deployment \S+ is still running/;
const checksNotFinished = /Revision \S+ is DEPLOYED\. Its checks were not finished/;
const mayBeDeleted = /deletion of deployment \S+ may have/i;

const oneDeployment = "^/v2/deployments/[^/]+$";
const oneRevision = "^/v2/deployments/[^/]+/revisions/[^/]+$";
const building: FaultRule = { kind: "statuses", sequence: [{ status: "BUILDING" }] };
const interrupt = { path: "/interrupt$" } as const;
const pollOfRevision = { server: "platform", method: "GET", path: oneRevision, nth: 2 } as const;

export const phases: readonly Phase[] = [
  {
    name: "the check of the repository",
    action: "deploy",
    during: { server: "GitHub", method: "GET", path: "/contents/" },
    leftover: noChanges,
  },
  {
    name: "the create",
    action: "deploy",
    during: { server: "platform", method: "POST", path: "^/v2/deployments$" },
    leftover: /revision from the creation of \S+ may still be running/,
  },
  {
    name: "the update",
    action: "deploy",
    existing: true,
    during: { server: "platform", method: "PATCH", path: oneDeployment },
    leftover: mayBeRunning,
  },
  {
    name: "the creation of the comment",
    action: "preview",
    rules: [building],
    during: { server: "GitHub", method: "POST", path: "/comments$" },
    leftover: isRunning,
  },
  {
    name: "a poll of the revision",
    action: "preview",
    rules: [building],
    during: pollOfRevision,
    leftover: isRunning,
  },
  {
    name: "a poll of a revision that is to be interrupted",
    action: "deploy",
    inputs: { on_cancel: "interrupt" },
    rules: [building, answer(interrupt, 200, { body: {} })],
    during: pollOfRevision,
    writesAfterSignal: ["POST interrupt"],
    leftover: /Revision \S+ of deployment \S+ was interrupted/,
    leftoverIfKilled: isRunning,
  },
  {
    name: "a poll of a revision that can't be interrupted, because the platform is silent",
    action: "deploy",
    inputs: { on_cancel: "interrupt" },
    rules: [building, { kind: "hang", match: interrupt }],
    during: pollOfRevision,
    writesAfterSignal: ["POST interrupt"],
    leftover: /Revision \S+ of deployment \S+ may still be running/,
    leftoverIfKilled: isRunning,
  },
  {
    name: "a smoke test",
    action: "preview",
    inputs: { smoke_tests: "- { name: runs, graph: agent, input: {} }" },
    during: { server: "platform", method: "POST", path: "/runs/wait$" },
    leftover: checksNotFinished,
  },
  {
    name: "a redeployment",
    action: "rollback",
    existing: true,
    during: { server: "platform", method: "POST", path: "/redeploy$" },
    leftover: /rollback of deployment \S+ to revision \S+ may still be running/,
  },
  {
    name: "the deletion of a preview",
    action: "preview",
    existing: true,
    during: { server: "platform", method: "DELETE", path: oneDeployment },
    bodiless: true,
    leftover: mayBeDeleted,
  },
  {
    name: "the second deletion of a sweep",
    action: "sweep",
    existing: true,
    during: { server: "platform", method: "DELETE", path: oneDeployment, nth: 2 },
    bodiless: true,
    leftover: mayBeDeleted,
  },
  {
    name: "the update of an OAuth provider",
    action: "oauth-provider",
    during: { server: "platform", method: "PATCH", path: "^/v2/auth/providers/" },
    leftover: /update of OAuth provider \S+ may have/i,
  },
  {
    name: "a CSV export",
    action: "usage",
    during: { server: "platform", method: "GET", path: "/export$" },
    leftover: /was cancelled/,
  },
];
