import { playAgentStory } from "./agent-story.ts";
import { playCompareStory } from "./compare-story.ts";
import { playLangGraphStory } from "./langgraph-story.ts";
import { playOnOwnControlPlane } from "./own-control-plane.ts";
import { playPythonStory } from "./python-story.ts";
import { withStage } from "./stage.ts";
import type { StepOptions } from "./step.ts";
import { targetFrom } from "./target.ts";

export interface DemoOptions extends StepOptions {
  /** How often a revision is polled. */
  readonly pollSeconds: number;
}

/**
 * Plays on the control plane that `env` names; without one, on the emulator. @throws if something does not go as
 * expected.
 */
export async function playDemo(options: DemoOptions): Promise<void> {
  const target = targetFrom(options.env);
  if (target !== null) return await playOnOwnControlPlane({ ...options, target });
  await withStage("agent", { ...options, isOffline: true }, playAgentStory);
}

/** Compares a change with what is deployed; npm installs the vendor's server. @throws if something does not go as expected. */
export async function playCompareDemo(options: DemoOptions): Promise<void> {
  await withStage("approval", { ...options, isOffline: false }, playCompareStory);
}

/** Deploys the example for LangGraph, which is installed from npm. @throws if something does not go as expected. */
export async function playLangGraphDemo(options: DemoOptions): Promise<void> {
  await withStage("langgraph", { ...options, isOffline: false }, playLangGraphStory);
}

/** Deploys the example in Python, which is installed from the package index. @throws if something does not go as expected. */
export async function playPythonDemo(options: DemoOptions): Promise<void> {
  await withStage("langgraph-python", { ...options, isOffline: false }, playPythonStory);
}
