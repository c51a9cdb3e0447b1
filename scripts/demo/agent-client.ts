import * as v from "valibot";
import { messageOf } from "../support/run.ts";

export const question = "Who are you?";

const StateSchema = v.object({ answer: v.string() });

/** Asks a deployed agent the question, and returns its answer. @throws if the request or the run fails */
export async function ask(url: string): Promise<string> {
  const response = await fetch(`${url}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ assistant_id: "agent", input: { question } }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`The agent responded with ${response.status}: ${body}`);
  return v.parse(StateSchema, JSON.parse(body)).answer;
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
