import { afterAll, beforeAll, expect } from "@jest/globals";
import { actionsLogin, type GitHubStandIn, startGitHub } from "../../support/github/github-stand-in.ts";
import { expectHarmless, type HostileRuns, hostileRuns } from "./hostile-runs.ts";
import type { Step } from "./step.ts";

type Texts = Readonly<Record<string, string>>;

export interface HostilePreviews {
  readonly hostile: HostileRuns;
  readonly github: () => GitHubStandIn;
  /** The preview action for an event of pull request 7; a run of its own each time. */
  preview(action: string, inputs?: Texts, instead?: { branch: string; payload: unknown }): Promise<Step>;
  /** The inputs with which an action may write on GitHub. */
  readonly inputs: Texts;
  expectHarmless(step: Step): void;
}

const token = "token-of-the-run";

/** A hostile platform, and a GitHub with one pull request, for all tests of a file. */
export function hostilePreviews(): HostilePreviews {
  const hostile = hostileRuns();
  let started: GitHubStandIn | undefined;
  let runs = 0;

  beforeAll(async () => {
    const tokens = { [token]: { login: actionsLogin } };
    started = await startGitHub({ files: { "app/config.json": "{}" }, tokens });
    started.pullRequests.open({ number: 7 });
  });

  afterAll(async () => {
    await started?.close();
    expect(started?.violations).toEqual([]);
  });

  const github = () => {
    if (started === undefined) throw new Error("the tests haven't begun");
    return started;
  };
  const inputs = { github_token: token };
  return {
    hostile,
    github,
    inputs,
    preview(action, given = {}, instead) {
      const { event, env } = github().pullRequestRun(7, action);
      const variables = {
        ...env,
        GITHUB_EVENT_NAME: event.name,
        GITHUB_EVENT_PATH: hostile.eventFile(instead?.payload ?? event.payload),
        GITHUB_HEAD_REF: instead?.branch ?? github().pullRequests.find(7)?.branch ?? "",
        GITHUB_RUN_ID: String(++runs),
      };
      return hostile.run("preview", { ...inputs, ...given }, variables);
    },
    expectHarmless: (step) => expectHarmless(step, ["key-of-the-run", token]),
  };
}
