import type { ActionRun } from "../../__tests__/support/runner/run-action.ts";
import { askDuring, expectAnswer, question } from "./agent-client.ts";
import { expectRun } from "./expect-run.ts";
import { greeting, type Stage } from "./stage.ts";

/** Deploys version after version of the example's agent. @throws if something does not go as the demo says. */
export async function playAgentStory(stage: Stage): Promise<void> {
  const first = await create(stage);
  const url = first.outputs.deployment_url ?? "";
  const second = await update(stage, url);
  await failToBuild(stage, url);
  await beUnhealthy(stage, url, second);
  await failTheFirstRun(stage, url);
}

async function create(stage: Stage): Promise<ActionRun> {
  stage.narrator.chapter(
    "1 A new agent",
    "examples/agent, a tiny agent server, has its own git repository. A workflow step",
    "deploys it to an emulator of the platform on this machine, which fetches the",
    "commit, builds it, starts the agent, and gives it a URL.",
  );
  const run = await stage.deploy("1 A new agent", { secrets: `GREETING=${greeting}` });
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "true" });
  const { deployment_url: url = "" } = run.outputs;
  const answer = await expectAnswer(url, answerOf(1));
  stage.narrator.found(
    `Asked at ${url}: ${question}`,
    `The agent answered: ${answer}`,
    "Its greeting is the secret, which the log above shows only as ***.",
  );
  return run;
}

async function update(stage: Stage, url: string): Promise<ActionRun> {
  stage.narrator.chapter(
    "2 A push",
    "The agent is changed and pushed. While the step deploys the new version, two",
    "clients keep asking the agent.",
  );
  await stage.repository.change(2);
  const { result: run, answers } = await askDuring(url, stage.deploy("2 A push", {}));
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "false" });
  const answer = await expectAnswer(url, answerOf(2));
  stage.narrator.found(`The agent answered: ${answer}`, ...countLines(answers));
  return run;
}

async function failToBuild(stage: Stage, url: string): Promise<void> {
  stage.narrator.chapter(
    "3 A build that fails",
    "Version 3 has a syntax error. The step fails, and its log and its job summary",
    "show the end of the build log.",
  );
  await stage.repository.change(3, { "return null;": "return nothing at all;" });
  const run = await stage.deploy("3 A build that fails", {});
  expectRun(run, { conclusion: "failure", outcome: "failed", status: "BUILD_FAILED" });
  stage.narrator.found(`The agent still answers: ${await expectAnswer(url, answerOf(2))}`);
}

async function beUnhealthy(stage: Stage, url: string, before: ActionRun): Promise<void> {
  stage.narrator.chapter(
    "4 A version that is live, but unhealthy",
    "Version 4 starts, and the platform reports it as DEPLOYED, but its health check",
    "fails. The step notices, and makes the previous version live again.",
  );
  await stage.repository.change(4, { "return null;": 'return "The database does not respond";' });
  const run = await stage.deploy("4 A version that is live but unhealthy", {
    health_check_path: "/health",
    health_check_timeout_seconds: "2",
    rollback_on_failure: "true",
  });
  const { revision_id } = before.outputs;
  expectRun(run, { conclusion: "failure", outcome: "failed", rolled_back_to: revision_id });
  stage.narrator.found(`The agent answers again: ${await expectAnswer(url, answerOf(2))}`);
}

const smokeTests = `
- name: introduces itself
  graph: agent
  input: { question: ${question} }
  expect: { contains: I am version }
`.trim();

async function failTheFirstRun(stage: Stage, url: string): Promise<void> {
  stage.narrator.chapter(
    "5 A version that is healthy, but whose first run fails",
    "Version 5 needs a secret that nobody has set. It starts and is healthy, but it",
    "cannot answer. A smoke test finds that out, and the step rolls back again.",
  );
  await stage.repository.change(5, { GREETING: "WELCOME" });
  const run = await stage.deploy("5 A version whose first run fails", {
    health_check_path: "/health",
    smoke_tests: smokeTests,
    rollback_on_failure: "true",
  });
  const { previous_revision_id } = run.outputs;
  expectRun(run, { conclusion: "failure", outcome: "failed", rolled_back_to: previous_revision_id });
  stage.narrator.found(`The agent answers again: ${await expectAnswer(url, answerOf(2))}`);
}

function answerOf(version: number): string {
  return `${greeting}! I am version ${version}.`;
}

function countLines(answers: ReadonlyMap<string, number>): string[] {
  const total = [...answers.values()].reduce((sum, count) => sum + count, 0);
  const counts = [...answers].map(([answer, count]) => `  ${count} times: ${answer}`);
  return [`Of ${total} requests meanwhile, none failed. The answers:`, ...counts];
}
