import { execFileSync } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitHubStandIn, startGitHub } from "../../__tests__/support/github/github-stand-in.ts";
import { recordingContext } from "../../__tests__/support/recording-context.ts";
import { defaultToken } from "../../__tests__/support/runner/run-action.ts";
import { VirtualClock } from "../../__tests__/support/virtual-clock.ts";
import { type Emulator, type FaultRule, startEmulator } from "../../emulator/index.ts";
import { type ActionName, run } from "../../src/run.ts";

/** Markdown that GitHub would show: six job summaries, and the comments on two pull requests. */
export interface ShownRuns {
  readonly success: string;
  readonly failure: string;
  readonly comparison: string;
  /** Of the check action, with a smoke test that failed. */
  readonly check: string;
  /** Of the check action, without a failure. */
  readonly passed: string;
  /** Of the check action, which compares a new version with production. */
  readonly gate: string;
  readonly comment: string;
  /** The comment on a pull request that would break waiting threads. */
  readonly warning: string;
}

/** The name that a preview has by default, in the repository octo-org/my-agent. */
function previewName(number: number): string {
  return `my-agent-21d3c-pr-${number}`;
}

/** The newest commit of each pull request. */
const headCommit = "3f4079c951bb9fec454fad7db1165594433f1712";

/** How long each status lasts, in seconds. */
const queued = [
  { status: "CREATING", seconds: 3 },
  { status: "AWAITING_BUILD", seconds: 6 },
];
const live = { status: "DEPLOYED" };

const text = { type: "string" };
const drafts = {
  nodes: ["search", "write", "approve"],
  input: { type: "object", properties: { question: text }, required: ["question"] },
  output: { type: "object", properties: { answer: text, sources: text } },
  state: { type: "object", properties: { question: text, draft: text, answer: text } },
};
const shortened = { ...drafts, nodes: ["write", "review"] };
const reviewed = {
  ...drafts,
  nodes: ["search", "write", "review"],
  input: {
    ...drafts.input,
    properties: { question: text, language: text },
    required: ["question", "language"],
  },
  output: { type: "object", properties: { answer: text } },
};

const faults: FaultRule[] = [
  {
    kind: "statuses",
    sequence: [...queued, { status: "BUILDING", seconds: 72 }, { status: "DEPLOYING", seconds: 24 }, live],
  },
  { kind: "statuses", redeployed: true, sequence: [{ status: "DEPLOYING", seconds: 21 }, live] },
  { kind: "graphs", deployment: previewName(9), graphs: { agent: shortened } },
  { kind: "graphs", repo_ref: "rename", graphs: { agent: reviewed } },
  { kind: "graphs", graphs: { agent: drafts } },
  {
    kind: "threads",
    deployment: "my-agent",
    threads: ["3f2b8c1d-52a7-4e0f-9d6b-8f1c2a4e7b90", "a81c04fe-6d3b-4b57-8e29-0c5d7f3e1a26"].map(
      (thread_id) => ({
        thread_id,
        next: ["approve"],
      }),
    ),
  },
];

/** That of the workflow of README.md. */
const smokeTests = `
- name: knows the capital
  graph: agent
  input: { messages: [{ role: user, content: What is the capital of France? }] }
  expect: { contains: Paris }
`.trim();

/** Those of a check, the last of which fails. */
const checkTests = `
${smokeTests}
- name: answers in French
  graph: agent
  input: { messages: [{ role: user, content: Quelle est la capitale de l'Italie ? }] }
  expect: { contains: est Rome }
`.trim();

/** To the smoke tests that pass. */
const answer = {
  kind: "answer",
  match: { path: "/runs/wait$", times: 2 },
  status: 200,
  body: { messages: [{ type: "ai", content: "Paris" }] },
} as const;

/** Milliseconds of virtual time that an agent takes for a request, if not 60. */
const agentMs: Readonly<Record<string, number>> = { "/runs/wait": 1_840, "/info": 210 };

/** Plays a deploy that succeeds, one that is rolled back, three previews and three checks, on virtual time. */
export async function playRuns(): Promise<ShownRuns> {
  const clock = new VirtualClock(Date.parse("2026-03-02T09:00:00Z"));
  const emulator = await startEmulator({
    platform: "langsmith",
    now: () => clock.now(),
    faults: [...faults, answer],
  });
  const github = await startGitHub({ now: () => clock.now(), files: { "langgraph.json": "{}" } });
  const folder = mkdtempSync(join(tmpdir(), "pictures-"));
  const { workspace, commit } = checkOut(folder);
  takeTime(clock);
  try {
    const play = player({ emulator, github, clock, folder, workspace, commit });
    const checks = { smoke_tests: smokeTests };
    // As the workflow of README.md does.
    const main = { ...checks, name: "my-agent", source_path: "." };
    await play.push({ name: "my-agent", source_path: "." });
    const success = await play.push(main);
    await play.preview(7, "faster-answers", {
      ...checks,
      name: previewName(7),
      source_path: ".",
      compare_with: "my-agent",
    });
    const comparison = await play.preview(12, "rename", {
      name: previewName(12),
      compare_with: "my-agent",
      breaking_changes: "fail",
    });
    await play.preview(9, "no-search", {
      name: previewName(9),
      source_path: ".",
      compare_with: "my-agent",
    });
    const wrong = [
      { type: "human", content: "What is the capital of France?" },
      { type: "ai", content: "The capital of France is Lyon." },
    ];
    emulator.addFault({ ...answer, match: { ...answer.match, times: 1 }, body: { messages: wrong } });
    const failure = await play.push({
      ...main,
      secrets: "MODEL_API_KEY=local-model-key",
      rollback_on_failure: "true",
    });
    const english = [{ type: "ai", content: "Sorry, I can only answer in English." }];
    emulator.addFault({ ...answer, match: { ...answer.match, times: 1 } });
    emulator.addFault({ ...answer, body: { messages: english } });
    const checked = await play.check({
      deployment_url: `${emulator.url}/live/my-agent`,
      health_check_path: "/ok",
      smoke_tests: checkTests,
    });
    // As in docs/workflows/check-pull-request.yml.
    const check = checked.replaceAll("https://my-agent.example.com", "http://127.0.0.1:2025");
    emulator.addFault({ ...answer, match: { ...answer.match, times: 1 } });
    // As in docs/workflows/check.yml.
    const passed = await play.check({
      deployment_url: `${emulator.url}/live/my-agent`,
      smoke_tests: smokeTests,
    });
    const gated = await play.check({
      deployment_url: `${emulator.url}/live/${previewName(12)}`,
      compare_with_url: `${emulator.url}/live/my-agent`,
    });
    const gate = gated.replaceAll(previewName(12), "candidate---my-agent");
    const commentOn = (number: number) => withPublicUrls(github.comments(number)[0]?.body ?? "");
    return {
      success,
      failure,
      comparison,
      check,
      passed,
      gate,
      comment: commentOn(7),
      warning: commentOn(9),
    };
  } finally {
    rmSync(folder, { recursive: true });
    await github.close();
    await emulator.close();
  }
}

/** A checkout, whose commit always has the same hash. */
function checkOut(folder: string): Pick<Stage, "workspace" | "commit"> {
  const workspace = join(folder, "checkout");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "langgraph.json"), '{ "graphs": { "agent": "./agent.py:graph" } }');
  const date = "2026-03-02T09:00:00Z";
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const settings = ["user.name=octo", "user.email=octo@example.com", "commit.gpgSign=false"];
  const git = (...args: readonly string[]) =>
    execFileSync("git", [...settings.flatMap((setting) => ["-c", setting]), ...args], {
      cwd: workspace,
      env: { ...process.env, ...dates },
    });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "First version");
  return { workspace, commit: git("rev-parse", "HEAD").toString().trim() };
}

interface Stage {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  readonly clock: VirtualClock;
  readonly folder: string;
  /** What is checked out, and uploaded. */
  readonly workspace: string;
  /** Of a push to main, or the merge of a pull request. */
  readonly commit: string;
}

function player({ emulator, github, clock, folder, workspace, commit }: Stage) {
  /** @returns the job summary */
  async function play(
    action: ActionName,
    inputs: Record<string, string>,
    env: Record<string, string>,
  ): Promise<string> {
    const given = {
      platform: "langsmith",
      control_plane_url: emulator.url,
      api_key: emulator.apiKey,
      workspace_id: emulator.workspaceId,
      deployment_type: "prod",
      github_token: defaultToken,
      ...inputs,
    };
    const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
    const context = recordingContext({ ...github.env, ...env, ...Object.fromEntries(variables) }, clock);
    await run(action, "main", context);
    return withPublicUrls(context.recorded.summary);
  }
  return {
    check: (inputs: Record<string, string>) => play("check", inputs, { GITHUB_RUN_ID: "1003" }),
    push: (inputs: Record<string, string>) =>
      play("deploy", inputs, {
        GITHUB_EVENT_NAME: "push",
        GITHUB_REF: "refs/heads/main",
        GITHUB_SHA: commit,
        GITHUB_RUN_ID: "1001",
        GITHUB_WORKSPACE: workspace,
      }),
    preview: (number: number, branch: string, inputs: Record<string, string>) => {
      github.pullRequests.open({ number, branch, sha: headCommit });
      const { event, env } = github.pullRequestRun(number, "opened");
      const eventPath = join(folder, `${number}.json`);
      writeFileSync(eventPath, JSON.stringify(event.payload));
      const refs = { GITHUB_REF: `refs/pull/${number}/merge`, GITHUB_HEAD_REF: branch };
      return play("preview", inputs, {
        ...env,
        ...refs,
        GITHUB_SHA: commit,
        GITHUB_WORKSPACE: workspace,
        GITHUB_RUN_ID: "1002",
        GITHUB_EVENT_NAME: event.name,
        GITHUB_EVENT_PATH: eventPath,
      });
    },
  };
}

/** An agent's address on this machine as one that GitHub's readers could open. */
function withPublicUrls(markdown: string): string {
  return markdown.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/live\/([\w-]+)/g, "https://$1.example.com");
}

/** Lets virtual time pass while an agent works. */
function takeTime(clock: VirtualClock): void {
  subscribe("http.server.request.start", (message) => {
    const { url = "" } = (message as { request: IncomingMessage }).request;
    const [, , path = ""] = /^\/live\/([^/]+)(\/.*)$/.exec(url) ?? [];
    if (path !== "") void clock.sleep(agentMs[path] ?? 60, new AbortController().signal);
  });
}
