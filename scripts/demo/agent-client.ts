import * as v from "valibot";
import { messageOf } from "../support/run.ts";

export const question = "Who are you?";

const StateSchema = v.object({ answer: v.string() });

/** Asks a deployed agent the question, and returns its answer. @throws if the request or the run fails */
export async function ask(url: string): Promise<string> {
  return await run(`${url}/runs/wait`, { input: { question } });
}

/** Sends a run, and returns the answer in its final state. */
async function run(address: string, request: object): Promise<string> {
  return v.parse(StateSchema, await post(address, { assistant_id: "agent", ...request })).answer;
}

async function post(address: string, request: object): Promise<unknown> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`The agent responded with ${response.status}: ${body}`);
  return JSON.parse(body);
}

const ThreadSchema = v.object({ thread_id: v.string() });
const InterruptedSchema = v.object({
  __interrupt__: v.tuple([v.object({ value: v.object({ question: v.string() }) })]),
});

/** A run that waits for a person. */
export interface Interrupted {
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

/** How many requests got which answer, or failed for which reason. */
export interface Tally {
  readonly answers: ReadonlyMap<string, number>;
  readonly failures: ReadonlyMap<string, number>;
}

/** Asks the agent without a pause, two requests at a time, until the work has ended. */
export async function askDuring<T>(url: string, work: Promise<T>): Promise<{ result: T; tally: Tally }> {
  const tally = { answers: new Map<string, number>(), failures: new Map<string, number>() };
  const count = (counts: Map<string, number>, text: string) => counts.set(text, (counts.get(text) ?? 0) + 1);
  let hasEnded = false;
  const client = async () => {
    while (!hasEnded) {
      await ask(url).then(
        (answer) => count(tally.answers, answer),
        (error) => count(tally.failures, messageOf(error)),
      );
    }
  };
  const clients = Promise.all([client(), client()]);
  const result = await work.finally(() => {
    hasEnded = true;
  });
  await clients;
  return { result, tally };
}
