/** The agent server of one revision: started, watched, started again when it dies, ended. */

import { setTimeout } from "node:timers/promises";
import { messageOf, RunFailure } from "../errors.ts";
import type { Secret } from "../store/deployments.ts";
import { commandText, startCommand } from "./commands.ts";
import type { Configuration } from "./configuration-file.ts";
import { agentEnvironment } from "./environment.ts";
import type { OutputLog } from "./output-log.ts";
import { freePort } from "./ports.ts";
import { ProcessGroup } from "./process-group.ts";
import { type Probed, probe, untilReady } from "./readiness.ts";
import { describeExit } from "./run-program.ts";
import type { RunSettings } from "./settings.ts";
import type { Watchdog } from "./watchdog.ts";

export interface AgentOptions {
  readonly revisionId: string;
  readonly configuration: Configuration;
  readonly secrets: readonly Secret[];
  /** The variables of the environment that an agent in Python runs in. */
  readonly python: NodeJS.ProcessEnv;
  readonly log: OutputLog;
  readonly settings: RunSettings;
  readonly watchdog: Watchdog;
  /** Whether requests to the agent on this port are in flight. */
  readonly isBusy: (port: number) => boolean;
}

/** So many probes in a row without a response mean that the server is dead. */
const MAX_FAILED_PROBES = 3;
/** An agent may compute for so long without responding to others while it has requests. */
const MAX_BUSY_MS = 5 * 60_000;
const MAX_DELAY_MS = 30_000;
/** An agent that ran for so long is started again without a longer delay. */
const STABLE_MS = 60_000;

export class Agent {
  readonly #options: AgentOptions;
  readonly #retirement = new AbortController();
  #group: ProcessGroup | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /**
   * Starts the agent.
   * @returns the port on which it is ready
   * @throws {RunFailure} if it ends or is not ready in time
   * @throws the reason of the signal
   */
  async start(signal: AbortSignal): Promise<number> {
    const { revisionId, configuration, secrets, python, log, settings, watchdog } = this.#options;
    signal.throwIfAborted();
    const port = await freePort();
    const command = startCommand(configuration, port, settings.startCommand);
    log.add("INFO", `Starting ${commandText(command)} on port ${port}`);
    const group = await ProcessGroup.start(
      {
        command,
        folder: configuration.folder,
        env: agentEnvironment(process.env, { secrets, port, revisionId, python }),
        onOutput: (stream, chunk) => log.write(stream, chunk),
      },
      watchdog,
    );
    this.#group = group;
    try {
      await this.#untilReady(group, port, signal);
    } catch (error) {
      await group.end(settings.graceMs);
      throw error;
    }
    log.add("INFO", "The agent is ready");
    return port;
  }

  async #untilReady(group: ProcessGroup, port: number, signal: AbortSignal): Promise<void> {
    const { readySeconds } = this.#options.settings;
    const limit = AbortSignal.timeout(readySeconds * 1000);
    const settled = new AbortController();
    let last: Probed | undefined;
    const ready = untilReady(port, AbortSignal.any([signal, limit, settled.signal]), (status) => {
      last = status;
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!limit.aborted) throw error;
      const seen = typeof last === "number" ? `the last status was ${last}` : "it did not respond";
      throw new RunFailure(`The agent was not ready within ${readySeconds} s: ${seen}.`);
    });
    const ended = group.exited.then((exit) => {
      throw new RunFailure(`The agent ${describeExit(exit)} before it was ready.`);
    });
    try {
      await Promise.race([ready, ended]);
    } finally {
      settled.abort();
      await ready.catch(() => {});
    }
  }

  /**
   * Watches the agent from now on, and starts it again whenever it dies, with growing delays.
   * @param port that of the last start; undefined if the agent is not running
   * @param onStarted called with the port after each start
   */
  keepAlive(port: number | undefined, onStarted: (port: number) => void): void {
    this.#watching = this.#keepAlive(port, onStarted);
  }

  async #keepAlive(first: number | undefined, onStarted: (port: number) => void): Promise<void> {
    const { log, settings } = this.#options;
    const { signal } = this.#retirement;
    let [port, delayMs] = [first, settings.restartMs];
    while (!signal.aborted) {
      const startedAt = performance.now();
      if (port !== undefined) {
        const reason = await this.#untilDead(port);
        if (signal.aborted) return;
        log.add("ERROR", `${reason} It is started again in ${delayMs / 1000} s.`);
        await this.#group?.end(settings.graceMs);
      }
      if (performance.now() - startedAt > STABLE_MS) delayMs = settings.restartMs;
      port = await this.#startAfter(delayMs);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
      if (port !== undefined) onStarted(port);
    }
  }

  /** The port, or undefined if the start failed. */
  async #startAfter(delayMs: number): Promise<number | undefined> {
    const { signal } = this.#retirement;
    try {
      await setTimeout(delayMs, undefined, { signal });
      return await this.start(signal);
    } catch (error) {
      if (!signal.aborted) this.#options.log.add("ERROR", messageOf(error));
      return undefined;
    }
  }

  /** Why the agent counts as dead, in a sentence. */
  async #untilDead(port: number): Promise<string> {
    const group = this.#group;
    if (group === undefined) return "The agent has not been started.";
    const settled = new AbortController();
    const silent = this.#untilSilent(port, AbortSignal.any([this.#retirement.signal, settled.signal]));
    try {
      return await Promise.race([silent, group.exited.then((exit) => `The agent ${describeExit(exit)}.`)]);
    } finally {
      settled.abort();
    }
  }

  /** A server may be dead although the leader of its group lives: development servers watch files and wait. */
  async #untilSilent(port: number, signal: AbortSignal): Promise<string> {
    const { probeMs } = this.#options.settings;
    try {
      let respondedAt = performance.now();
      for (let failed = 0; failed < MAX_FAILED_PROBES; ) {
        await setTimeout(failed === 0 ? probeMs : probeMs / 5, undefined, { signal });
        const probed = await probe(port, "/ok", signal);
        if (typeof probed === "number") respondedAt = performance.now();
        const isWorking = this.#options.isBusy(port) && performance.now() - respondedAt < MAX_BUSY_MS;
        const counts = probed === "refused" || (probed === "silent" && !isWorking);
        failed = counts ? failed + 1 : 0;
      }
    } catch {
      // The signal has aborted.
    }
    return "The agent does not respond any more.";
  }

  /** From now on the agent is not started again. */
  retire(): void {
    this.#retirement.abort();
  }

  /** Ends the agent and everything that it has started. */
  async end(): Promise<void> {
    this.retire();
    await this.#group?.end(this.#options.settings.graceMs);
    await this.#watching;
    // A restart in progress may have started another group.
    await this.#group?.end(this.#options.settings.graceMs);
    this.#options.log.end();
  }
}
