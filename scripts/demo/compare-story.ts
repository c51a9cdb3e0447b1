import * as v from "valibot";
import { post, send } from "./agent-client.ts";
import { expectRun } from "./expect-run.ts";
import type { Stage } from "./stage.ts";

const ThreadSchema = v.object({ thread_id: v.string() });
const StateSchema = v.object({ next: v.array(v.string()) });
const ChangesSchema = v.array(v.object({ kind: v.string(), breaking: v.boolean(), message: v.string() }));

/** Has a thread wait for a person, and a pull request rename the node at which it waits. @throws if that isn't found. */
export async function playCompareStory(stage: Stage): Promise<void> {
  const url = await deployAgent(stage);
  const threadId = await waitForApproval(stage, url);
  await renameNode(stage, threadId);
}

async function deployAgent(stage: Stage): Promise<string> {
  stage.narrator.chapter(
    "1 An agent in production",
    "examples/approval, a graph that waits for a person's approval, has its own git",
    "repository. A workflow step deploys it to an emulator of the platform on this",
    "machine. Its build installs the vendor's own server for local use, which takes",
    "a minute.",
  );
  const run = await stage.deploy("1 An agent in production", {});
  expectRun(run, { conclusion: "success", outcome: "deployed", created: "true" });
  return run.outputs.deployment_url ?? "";
}

async function waitForApproval(stage: Stage, url: string): Promise<string> {
  const { thread_id: id } = v.parse(ThreadSchema, await post(`${url}/threads`, {}));
  const run = { assistant_id: "agent", input: { question: "When do you open?" } };
  await post(`${url}/threads/${id}/runs/wait`, run);
  const { next } = v.parse(StateSchema, await send(`${url}/threads/${id}/state`));
  if (next.join() !== "approve")
    throw new Error(`The thread should wait at approve, but goes on with ${next}`);
  stage.narrator.found(
    "Somebody asks the agent. It writes a draft, and now waits for an approval:",
    `thread ${id} waits at the node approve.`,
  );
  return id;
}

async function renameNode(stage: Stage, threadId: string): Promise<void> {
  stage.narrator.chapter(
    "2 A pull request that renames the node",
    "All its tests pass. The new version is compared with the agent",
    "in production, before anybody merges it. The deploy action fails then.",
    "The preview action warns by default, and comments on the pull request.",
  );
  await stage.repository.branch("rename");
  await stage.repository.edit("agent.js", { '"approve"': '"review"' }, "Rename the node");
  const run = await stage.deploy("2 A pull request that renames the node", {
    name: "demo-agent-pr-7",
    repo_ref: "rename",
    compare_with: "demo-agent",
  });
  expectRun(run, { conclusion: "failure", outcome: "failed", status: "DEPLOYED" });
  const changes = v.parse(ChangesSchema, JSON.parse(run.outputs.contract_changes ?? ""));
  const [breaking] = changes.filter((change) => change.breaking);
  if (changes.length !== 1 || !breaking?.message.includes(threadId)) {
    throw new Error(`Exactly the thread should be found, but this was: ${run.outputs.contract_changes}`);
  }
  stage.narrator.found(
    breaking.message,
    "The agent in production is untouched: the thread can still be approved.",
  );
}
