import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import type { ActionRun } from "../../__tests__/support/runner/run-action.ts";
import { AgentRepository, type Example } from "./agent-repository.ts";
import { type EmulatorProcess, startEmulator } from "./emulator-process.ts";
import { Narrator } from "./narrator.ts";
import { playStep, type StepOptions } from "./step.ts";

export interface StageOptions extends StepOptions {
  /** How often a revision is polled. */
  readonly pollSeconds: number;
  /** Whether builds fetch nothing. */
  readonly isOffline: boolean;
}

/** The secret that the example's agent greets with. */
export const greeting = "Good to see you";

/** An example in a repository of its own, and an emulator that runs it. */
export class Stage {
  readonly repository: AgentRepository;
  readonly narrator: Narrator;
  readonly #emulator: EmulatorProcess;
  readonly #options: StageOptions;

  constructor(repository: AgentRepository, emulator: EmulatorProcess, options: StageOptions) {
    this.repository = repository;
    this.#emulator = emulator;
    this.#options = options;
    this.narrator = new Narrator(options.print);
  }

  /** Deploys the repository's `main`, as a workflow on a push to it would. */
  async deploy(title: string, given: Readonly<Record<string, string>>): Promise<ActionRun> {
    const { url, apiKey, workspaceId, integrationId } = this.#emulator;
    const inputs = {
      platform: "langsmith",
      control_plane_url: url,
      api_key: apiKey,
      workspace_id: workspaceId,
      name: "demo-agent",
      integration_id: integrationId,
      repo_url: this.repository.url,
      repo_ref: "main",
      poll_interval_seconds: String(this.#options.pollSeconds),
      ...given,
    };
    const variables = { GITHUB_SHA: this.repository.commit };
    const secrets = [apiKey, greeting];
    return await playStep({ title, action: "deploy", inputs, secrets, variables }, this.#options);
  }
}

/** npm's settings for a build without dependencies: no request, and no file outside of the folder. */
function offlineVariables(folder: string): Record<string, string> {
  return {
    npm_config_offline: "true",
    npm_config_cache: join(folder, "npm"),
    npm_config_logs_max: "0",
    npm_config_userconfig: devNull,
  };
}

/** Sets a stage, plays on it, and leaves no process and no file behind. */
export async function withStage(
  example: Example,
  options: StageOptions,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "demo-"));
  try {
    const workFolder = join(folder, "work");
    await mkdir(workFolder);
    const repository = await AgentRepository.create(example, join(folder, "agent"));
    const variables = options.isOffline ? offlineVariables(folder) : {};
    const emulator = await startEmulator({ workFolder, variables });
    await play(new Stage(repository, emulator, options)).finally(emulator.close);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
