import { askDuring, askForApproval, expectAnswer, question } from "./agent-client.ts";
import { expectRun } from "./expect-run.ts";
import { greeting, type Stage } from "./stage.ts";

/** Deploys a graph in Python on the vendor's server for local use. @throws if something does not go as the demo says. */
export async function playPythonStory(stage: Stage): Promise<void> {
  stage.narrator.found(
    "This demo needs Python 3.11 (python3.11, or one that uv knows) and the Python",
    "package index. It takes two or three minutes, mostly for the installation.",
  );
  const url = await create(stage);
  await approve(stage, url);
  await update(stage, url);
  await failToBuild(stage, url);
}

async function create(stage: Stage): Promise<string> {
  stage.narrator.chapter(
    "1 An agent in Python",
    "examples/langgraph-python, a graph without a model, has its own git repository.",
    "A workflow step deploys it to an emulator of the platform on this machine, which",
    "installs it with the vendor's own server. The step checks which revision responds.",
  );
  const run = await stage.deploy("1 An agent in Python", {
    secrets: `GREETING=${greeting}`,
    serving_check: "require",
  });
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "true" });
  const { deployment_url: url = "" } = run.outputs;
  stage.narrator.found(
    `Asked at ${url}: ${question}`,
    `The graph answered: ${await expectAnswer(url, answerOf(1))}`,
  );
  return url;
}

async function approve(stage: Stage, url: string): Promise<void> {
  const refund = "May I have a refund?";
  const { asks, resume } = await askForApproval(url, refund);
  const answer = await resume(true);
  if (!answer.endsWith(refund)) throw new Error(`The approved answer is "${answer}"`);
  stage.narrator.found(
    `Asked: ${refund}`,
    `The graph asked a person: ${asks}`,
    `Approved. It answered: ${answer}`,
  );
}

async function update(stage: Stage, url: string): Promise<void> {
  stage.narrator.chapter(
    "2 A push",
    "The graph is changed and pushed. Its dependencies are the same, so the build uses",
    "their environment again. In the meantime, two clients keep asking the agent.",
  );
  await stage.repository.edit("src/desk/__init__.py", { "VERSION = 1": "VERSION = 2" }, "Version 2");
  const { result: run, answers } = await askDuring(
    url,
    stage.deploy("2 A push", { serving_check: "require" }),
  );
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "false" });
  const counts = [...answers].map(([answer, count]) => `  ${count} times: ${answer}`);
  stage.narrator.found(
    "No request failed. The answers:",
    ...counts,
    `Now: ${await expectAnswer(url, answerOf(2))}`,
  );
}

async function failToBuild(stage: Stage, url: string): Promise<void> {
  stage.narrator.chapter(
    "3 A dependency that doesn't exist",
    "The step fails, and shows the end of the installer's log. Version 2 stays live.",
  );
  const missing = { '"langgraph>=1.0,<2"': '"langgraph>=1.0,<2", "tabulate>=999"' };
  await stage.repository.edit("pyproject.toml", missing, "Need a version that doesn't exist");
  const run = await stage.deploy("3 A dependency that does not exist", {});
  expectRun(run, { conclusion: "failure", outcome: "failed", status: "BUILD_FAILED" });
  stage.narrator.found(`The agent still answers: ${await expectAnswer(url, answerOf(2))}`);
}

function answerOf(version: number): string {
  return `${greeting}! I am version ${version}. You asked: ${question}`;
}
