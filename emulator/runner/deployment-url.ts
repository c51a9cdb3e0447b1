/** The URL of a deployment: a port that it keeps for life, and the proxy that listens there. */
import { ListenError, messageOf } from "../errors.ts";
import { openReverseProxy } from "./ports.ts";
import { retryWrite } from "./retry-write.ts";
import type { ReverseProxy } from "./reverse-proxy.ts";
import { nameOf, type RunnerContext, urlOfPort } from "./runner-context.ts";

export class DeploymentUrl {
  readonly #deploymentId: string;
  readonly #context: RunnerContext;
  #proxy: ReverseProxy | undefined;
  #isAnnounced = false;

  constructor(deploymentId: string, context: RunnerContext) {
    this.#deploymentId = deploymentId;
    this.#context = context;
  }

  /**
   * Opens the port.
   * @param signal aborts when the deployment is closed
   * @throws {ListenError} if somebody else has taken it while the emulator was not running
   */
  async open(signal: AbortSignal): Promise<void> {
    if (this.#proxy !== undefined) return;
    const { runs, settings } = this.#context;
    const id = this.#deploymentId;
    const kept = runs.port(id);
    try {
      this.#proxy = await openReverseProxy(kept, { drainMs: settings.drainMs });
    } catch (cause) {
      const what = kept === undefined ? "a port for" : `port ${kept} of`;
      throw new ListenError(
        `cannot listen on ${what} deployment ${nameOf(id, this.#context)}: ${messageOf(cause)}. Stop what uses the port and start the emulator again, or delete the deployment.`,
        { cause },
      );
    }
    const { port } = this.#proxy;
    if (kept === undefined) await retryWrite(() => runs.setPort(id, port), signal);
  }

  /** Sends requests to the agent on this port. Resolves when those to the one before have ended. */
  async serve(agentPort: number): Promise<void> {
    if (this.#proxy === undefined) return;
    const drained = this.#proxy.switchTo(agentPort);
    const { onLive } = this.#context;
    if (!this.#isAnnounced) onLive(nameOf(this.#deploymentId, this.#context), urlOfPort(this.#proxy.port));
    this.#isAnnounced = true;
    await drained;
  }

  /** Whether requests to the agent on this port have not ended. */
  isBusy(agentPort: number): boolean {
    return this.#proxy?.isBusy(agentPort) ?? false;
  }

  /** Closes the port and all connections. */
  async close(): Promise<void> {
    await this.#proxy?.close();
  }
}
