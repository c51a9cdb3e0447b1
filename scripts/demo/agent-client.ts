import * as v from "valibot";
import { messageOf } from "../support/run.ts";

export const question = "Who are you?";

const StateSchema = v.object({ answer: v.string() });

/** Asks a deployed agent the question, and returns its answer. @throws if the request or the run fails */
export async function ask(url: string): Promise<string> {
  return await run(`${url}/runs/wait`, { input: { question } });
}

const ChatSchema = v.object({ messages: v.array(v.object({ content: v.string() })) });

/** Asks a graph whose state is a chat, and returns its last message. @throws if the request or the run fails */
export async function askInChat(url: string, content: string): Promise<string | undefined> {
  const input = { messages: [{ role: "user", content }] };
  const state = await post(`${url}/runs/wait`, { assistant_id: "agent", input });
  return v.parse(ChatSchema, state).messages.at(-1)?.content;
}

/** Asks the agent as `ask` does, and returns its answer. @throws if it is another than expected */
export async function expectAnswer(url: string, expected: string): Promise<string> {
  const answer = await ask(url);
  if (answer !== expected) throw new Error(`The agent should answer "${expected}", but answered "${answer}"`);
  return answer;
}

/** Sends a run, and returns the answer in its final state. */
async function run(address: string, request: object): Promise<string> {
  return v.parse(StateSchema, await post(address, { assistant_id: "agent", ...request })).answer;
}

/** Posts JSON to an agent. @throws if the agent refuses it */
export async function post(address: string, request: object): Promise<unknown> {
  return await send(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
}

/** Requests an address, and parses the JSON of the response. @throws if the agent refuses */
export async function send(address: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(address, init);
  const body = await response.text();
  if (!response.ok) throw new Error(`The agent responded with ${response.status}: ${body}`);
  return JSON.parse(body);
}

const ThreadSchema = v.object({ thread_id: v.string() });
const InterruptedSchema = v.object({
  __interrupt__: v.tuple([v.object({ value: v.object({ question: v.string() }) })]),
});

/** A run that waits for a person. */
interface Interrupted {
  /** What the graph asks that person. */
  readonly asks: string;
  /** Continues the run with a decision, and returns its answer. */
  readonly resume: (decision: boolean) => Promise<string>;
}

/** Asks something that needs a person. @throws if the run is not interrupted */
export async function askForApproval(url: string, what: string): Promise<Interrupted> {
  const { thread_id } = v.parse(ThreadSchema, await post(`${url}/threads`, {}));
  const address = `${url}/threads/${thread_id}/runs/wait`;
  const request = { assistant_id: "agent", input: { question: what } };
  const [{ value }] = v.parse(InterruptedSchema, await post(address, request)).__interrupt__;
  return { asks: value.question, resume: (decision) => run(address, { command: { resume: decision } }) };
}

/**
 * Asks the agent without a pause, two requests at a time, until the work has ended. `answers`: how often each came.
 *
 * @throws if a request failed
 */
export async function askDuring<T>(
  url: string,
  work: Promise<T>,
): Promise<{ result: T; answers: ReadonlyMap<string, number> }> {
  const answers = new Map<string, number>();
  const failures = new Set<string>();
  let hasEnded = false;
  const client = async () => {
    while (!hasEnded) {
      await ask(url).then(
        (answer) => answers.set(answer, (answers.get(answer) ?? 0) + 1),
        (error) => failures.add(messageOf(error)),
      );
    }
  };
  const clients = Promise.all([client(), client()]);
  const result = await work.finally(() => {
    hasEnded = true;
  });
  await clients;
  if (failures.size > 0) throw new Error(`Requests failed: ${[...failures].join("; ")}`);
  return { result, answers };
}
