import { expectAnswer, question } from "./agent-client.ts";
import { expectRun } from "./expect-run.ts";
import { greeting, type Stage } from "./stage.ts";

/** Deploys a graph on the vendor's server for local use, and runs it. @throws if it does not answer. */
export async function playLangGraphStory(stage: Stage): Promise<void> {
  stage.narrator.chapter(
    "1 A LangGraph agent",
    "examples/langgraph, a graph without a model, has its own git repository. A",
    "workflow step deploys it to an emulator of the platform on this machine.",
    "Its build installs the vendor's own server for local use, which takes a minute.",
  );
  const run = await stage.deploy("1 A LangGraph agent", { secrets: `GREETING=${greeting}` });
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "true" });
  const { deployment_url: url = "" } = run.outputs;
  const answer = await expectAnswer(url, `${greeting}! You asked: ${question}`);
  stage.narrator.found(`Asked at ${url}: ${question}`, `The graph answered: ${answer}`);
}
