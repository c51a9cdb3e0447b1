/** Questions to agents, and their answers. They are kept until the emulator ends. */
import { messageOf } from "../errors.ts";
import { redactorFor } from "../runner/redact.ts";
import type { PageContext } from "./page-context.ts";

/** What was asked, as it was typed. */
export interface Asked {
  readonly graph: string;
  /** Asks this path instead of a graph, if it is not empty. */
  readonly path: string;
  readonly input: string;
}

export interface Question extends Asked {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Until the answer; undefined as long as there is none. */
  tookMs?: number;
  /** Of the response. */
  status?: number;
  /** The body, without secrets, or why there is none. */
  answer?: string;
}

const KEPT = 10;
const MAX_ANSWER_LENGTH = 50_000;
const MAX_BODY_BYTES = 1 << 20;
const TIMEOUT_MS = 300_000;

export class Questions {
  readonly #context: PageContext;
  readonly #questions = new Map<string, readonly Question[]>();

  constructor(context: PageContext) {
    this.#context = context;
  }

  /** Those to the agent of a deployment, the newest first. */
  of(deploymentId: string): readonly Question[] {
    return this.#questions.get(deploymentId) ?? [];
  }

  /** Asks the agent of a deployment. Resolves when it has answered or failed to. */
  async ask(deploymentId: string, asked: Asked): Promise<void> {
    const question: Question = { ...asked, at: this.#context.now() };
    this.#questions.set(deploymentId, [question, ...this.of(deploymentId)].slice(0, KEPT));
    const startedAt = performance.now();
    const { status, answer } = await this.#send(deploymentId, asked).catch((error: unknown) => ({
      status: undefined,
      answer: reasonOf(error),
    }));
    if (status !== undefined) question.status = status;
    question.answer = this.#redact(deploymentId, answer).slice(0, MAX_ANSWER_LENGTH);
    question.tookMs = performance.now() - startedAt;
  }

  async #send(
    deploymentId: string,
    { graph, path, input }: Asked,
  ): Promise<{ status: number; answer: string }> {
    const [deployment] = this.#context.controlPlane.snapshot(deploymentId);
    if (deployment === undefined || deployment.url === null) throw new Error("No revision is live.");
    const json: unknown = input.trim() === "" ? undefined : JSON.parse(input);
    if (path !== "" && !path.startsWith("/")) throw new Error("The path has to start with a slash.");
    const body = path === "" ? { assistant_id: graph, input: json ?? {}, on_completion: "delete" } : json;
    // The key of simulated agents is for nobody else.
    const { agentKey } = this.#context;
    const isSimulated = deployment.source_config.custom_url == null;
    const response = await fetch(deployment.url.replace(/\/$/, "") + (path || "/runs/wait"), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(agentKey !== undefined && isSimulated && { "x-api-key": agentKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, answer: indented(await readStart(response)) };
  }

  /** An agent can answer with its own secrets. */
  #redact(deploymentId: string, answer: string): string {
    const { keys, history, inspection } = this.#context;
    return redactorFor([...keys, ...history.secrets, ...inspection.secretsOf(deploymentId)])(answer);
  }
}

/** As much of a body as can be shown: an agent can stream without end. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) break;
  }
  return text + decoder.decode();
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return `The input is not JSON: ${error.message}`;
  const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : "";
  return messageOf(error) + cause;
}
