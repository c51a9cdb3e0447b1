/**
 * One deployment on this machine: its revisions are built and started one after the other, and the live one is kept
 * alive. What should run stands in the database, which is read again whenever something has changed.
 */
import { existsSync } from "node:fs";
import { messageOf, RunFailure } from "../errors.ts";
import type { Run } from "../store/runs.ts";
import { Agent } from "./agent.ts";
import { configPathOf } from "./build.ts";
import { buildOrReuse } from "./build-cache.ts";
import { readConfiguration } from "./configuration-file.ts";
import { DeploymentUrl } from "./deployment-url.ts";
import { withLastError } from "./last-error.ts";
import type { OutputLog } from "./output-log.ts";
import { redactorFor } from "./redact.ts";
import { retryWrite } from "./retry-write.ts";
import { logOf, nameOf, type RunnerContext, secretsOf } from "./runner-context.ts";

/** What is done for one revision until it is live or has ended otherwise. */
interface Job {
  readonly run: Run;
  readonly abort: AbortController;
  /** Aborts with the job, and when the deployment is closed. */
  readonly signal: AbortSignal;
}

export class DeploymentRunner {
  readonly id: string;
  readonly #context: RunnerContext;
  readonly #url: DeploymentUrl;
  readonly #closing = new AbortController();
  #live: Agent | undefined;
  #job: Job | undefined;
  #working: Promise<void> | undefined;

  constructor(id: string, context: RunnerContext) {
    this.id = id;
    this.#context = context;
    this.#url = new DeploymentUrl(id, context);
  }

  /** Called when the deployment has a new revision, or one has been interrupted. */
  changed(): void {
    const { runs } = this.#context;
    if (this.#job !== undefined && !runs.isPending(this.#job.run.revisionId)) this.#job.abort.abort();
    this.#work();
  }

  #work(): void {
    if (this.#working !== undefined || this.#nextPending() === undefined) return;
    this.#working = this.#runPending();
  }

  #nextPending(): Run | undefined {
    return this.#closing.signal.aborted ? undefined : this.#context.runs.nextPending(this.id);
  }

  async #runPending(): Promise<void> {
    try {
      for (let run = this.#nextPending(); run !== undefined; run = this.#nextPending()) {
        const abort = new AbortController();
        const signal = AbortSignal.any([abort.signal, this.#closing.signal]);
        this.#job = { run, abort, signal };
        await this.#complete(this.#job);
        this.#job = undefined;
        await this.#removeOldFolders();
      }
    } catch (error) {
      // One deployment doesn't end the others. Its next change continues.
      console.error(error);
    }
    this.#job = undefined;
    this.#working = undefined;
  }

  /** Builds and starts a revision. If that fails, the one before stays alive. */
  async #complete(job: Job): Promise<void> {
    const { run, signal } = job;
    const { onFailed } = this.#context;
    const logs = {
      BUILD_FAILED: logOf(run, "build", this.#context),
      DEPLOY_FAILED: logOf(run, "deploy", this.#context),
    };
    let failure: keyof typeof logs = "BUILD_FAILED";
    try {
      const folder = await buildOrReuse(
        job.run,
        { deploymentId: this.id, log: logs[failure], signal, onTurn: () => this.#advance(job, "BUILDING") },
        this.#context,
      );
      failure = "DEPLOY_FAILED";
      await this.#deploy(job, folder, logs[failure]);
    } catch (error) {
      // If it was aborted, the revision has its last status already, or starts over after a restart.
      if (!signal.aborted) {
        const reason = redactorFor(secretsOf(run))(messageOf(error));
        if (!(error instanceof RunFailure)) console.error(`Unexpected: ${reason}`);
        logs[failure].end();
        const message = withLastError(reason, this.#context.logs.lines([run.revisionId], "deploy"));
        logs[failure].add("ERROR", reason);
        const hasFailed = await this.#tryAdvance(run, { status: failure, message }, signal);
        if (hasFailed) onFailed(nameOf(this.id, this.#context), message);
      }
      logs[failure].end();
    } finally {
      logs.BUILD_FAILED.end();
    }
  }

  async #deploy(job: Job, folder: string, log: OutputLog): Promise<void> {
    await this.#advance(job, "DEPLOYING");
    await this.openPort();
    const agent = await this.#agentOf(job.run, folder, log);
    const port = await agent.start(job.signal);
    const { run, signal } = job;
    if (signal.aborted || !(await this.#tryAdvance(run, { status: "DEPLOYED" }, signal))) {
      await agent.end();
      throw abortedBy(job);
    }
    // In the same moment as the status: what is shown as live is what responds.
    const drained = this.#url.serve(port);
    const before = this.#live;
    before?.retire();
    this.#live = agent;
    agent.keepAlive(port, (next) => void this.#url.serve(next));
    await drained;
    await before?.end();
  }

  async #agentOf({ revisionId, request }: Run, folder: string, log: OutputLog): Promise<Agent> {
    const { settings, watchdog, environments } = this.#context;
    const configuration = await readConfiguration(folder, configPathOf(request));
    const isBusy = (port: number) => this.#url.isBusy(port);
    return new Agent({
      revisionId,
      configuration,
      secrets: request.secrets,
      python: await environments.variablesFor(folder, process.env.PATH),
      log,
      settings,
      watchdog,
      isBusy,
    });
  }

  /** Resolves to false if the revision has ended or is gone, or the signal aborts before its status can be stored. */
  async #tryAdvance(
    { revisionId }: Run,
    step: { status: string; message?: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { runs, now } = this.#context;
    return (await retryWrite(() => runs.advance(revisionId, now(), step), signal)) ?? false;
  }

  /** Aborts the job if its revision has ended or is gone. */
  async #advance(job: Job, status: string): Promise<void> {
    if (!(await this.#tryAdvance(job.run, { status }, job.signal))) throw abortedBy(job);
  }

  /** Opens the port of the deployment's URL. @throws {ListenError} */
  async openPort(): Promise<void> {
    await this.#url.open(this.#closing.signal);
  }

  /**
   * Continues after a restart of the emulator: what was live is started again, and what had not ended starts over.
   * Resolves when the live agent is ready or has failed to start, unless it has to be built again.
   */
  async restore(): Promise<void> {
    const { runs } = this.#context;
    const live = runs.live(this.id)[0];
    const pending = runs.nextPending(this.id);
    const queued = pending && this.#tryAdvance(pending, { status: "QUEUED" }, this.#closing.signal);
    const back = live && this.#bringBack(live);
    this.#working = Promise.all([queued, back])
      .then(() => this.#removeOldFolders())
      .then(() => this.#runPending());
    if (live?.folder && existsSync(live.folder)) await back;
  }

  async #bringBack(run: Run): Promise<void> {
    const { signal } = this.#closing;
    const log = logOf(run, "deploy", this.#context);
    const report = (error: unknown) => {
      if (!signal.aborted) log.add("ERROR", messageOf(error));
      return undefined;
    };
    try {
      const folder = await buildOrReuse(
        run,
        { deploymentId: this.id, log, signal, onTurn: async () => {} },
        this.#context,
      );
      const agent = await this.#agentOf(run, folder, log);
      this.#live = agent;
      const port = await agent.start(signal).catch(report);
      if (port !== undefined) void this.#url.serve(port);
      agent.keepAlive(port, (next) => void this.#url.serve(next));
    } catch (error) {
      report(error);
      log.end();
    }
  }

  /** The live revision's folder and the one before are kept. */
  async #removeOldFolders(): Promise<void> {
    const kept = this.#context.runs.live(this.id).slice(0, 2);
    const folders = kept.map(({ folder }) => folder);
    await this.#context.folders.keepOnlyOf(this.id, folders);
    await this.#context.environments.removeUnused();
  }

  /** Ends everything of a deployment that is deleted. */
  async remove(): Promise<void> {
    await this.#end();
    const { folders, environments } = this.#context;
    await folders.keepOnlyOf(this.id, []);
    environments.forget(this.id);
    await environments.removeUnused();
  }

  /** Ends all processes; a revision that has not ended starts over after a restart. */
  async close(): Promise<void> {
    await this.#end();
    this.#context.environments.forget(this.id);
    await this.#removeOldFolders();
  }

  async #end(): Promise<void> {
    this.#closing.abort();
    await this.#url.close();
    await Promise.all([this.#working, this.#live?.end()]);
    // The work may have started another one.
    await this.#live?.end();
  }
}

/** Why a job ends early. */
function abortedBy({ abort }: Job): Error {
  abort.abort();
  return new Error("The revision has ended.");
}
