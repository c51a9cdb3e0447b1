import { askInChat } from "./agent-client.ts";
import { expectRun } from "./expect-run.ts";
import type { Stage } from "./stage.ts";

const question = "What is the capital of France?";

/** That of the README's workflow. */
const smokeTest = `
- name: knows the capital
  graph: agent
  input: { messages: [{ role: user, content: ${question} }] }
  expect: { contains: Paris }
`;

/** Deploys a graph on the vendor's server for local use, and asks it. @throws if its answer is another than expected */
export async function playLangGraphStory(stage: Stage): Promise<void> {
  stage.narrator.chapter(
    "1 A LangGraph agent",
    "examples/langgraph, a graph without a model, has its own git repository. A",
    "workflow step deploys it to an emulator of the platform on this machine.",
    "Its build installs the vendor's own server for local use, which takes a minute.",
  );
  const run = await stage.deploy("1 A LangGraph agent", { smoke_tests: smokeTest });
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "true" });
  const { deployment_url: url = "" } = run.outputs;
  const answer = await askInChat(url, question);
  if (answer !== "Paris") throw new Error(`The graph should answer "Paris", but answered "${answer}"`);
  stage.narrator.found(`Asked at ${url}: ${question}`, `The graph answered: ${answer}`);
}
