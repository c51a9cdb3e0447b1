import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cell } from "./cells.ts";
import type { Certificates } from "./certificates.ts";
import { hangs } from "./faults.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import type { Observation } from "./observation.ts";
import type { Scenario, Target } from "./scenario.ts";
import type { Limits, Step } from "./step.ts";
import { startWorld, type World } from "./world.ts";

/** The requests of a run where nothing goes wrong. */
export type Baseline = Readonly<Record<Target["server"], readonly ProxiedRequest[]>>;

const usualLimits: Limits = { request: 30, timeout: 90 };
/** What hangs costs real time, so it hangs shortly and is looked at seldom. */
const hangingLimits: Limits = { request: 0.3, timeout: 20 };

/** Runs a scenario without any fault. */
export async function observeHealthy(
  scenario: Scenario,
  certificates: Certificates,
  step: Step,
): Promise<Observation> {
  const world = await startWorld(scenario, certificates, step.time);
  return await observe(scenario, world, step, usualLimits);
}

/** What a healthy run asked of each server. */
export function baselineOf({ platform, github }: Observation): Baseline {
  return { platform, GitHub: github };
}

/** Where the target stands among the requests of a healthy run, from 0; -1 where it isn't made. */
export function placeOf({ server, route, from = 1 }: Target, baseline: Baseline): number {
  const requests = baseline[server];
  const places = requests.flatMap((request, index) =>
    route(request, requests.slice(0, index)) ? [index] : [],
  );
  return places[from - 1] ?? -1;
}

/** Runs the scenario of a cell with its fault. */
export async function observeCell(
  { scenario, target, fault, applied, times }: Cell,
  baseline: Baseline,
  certificates: Certificates,
  step: Step,
): Promise<Observation> {
  const { server, route, from = 1 } = target;
  const requestsBefore = placeOf(target, baseline);
  const arming = { server, fault: { fault, applied, times, route, from, requestsBefore } };
  const world = await startWorld(scenario, certificates, step.time, arming);
  return await observe(scenario, world, step, hangs(fault) ? hangingLimits : usualLimits);
}

async function observe(
  scenario: Scenario,
  world: World,
  { time, run }: Step,
  limits: Limits,
): Promise<Observation> {
  const { emulator, github, platform, gitHubProxy, elsewhere, given, workspace } = world;
  try {
    const before = emulator.deployments();
    const startedAt = time.now();
    const result = await run(scenario, world, limits);
    return {
      ...result,
      action: scenario.action,
      ending: result.outputs.outcome ?? (result.succeeded ? "done" : "failed"),
      before,
      after: emulator.deployments(),
      ownRevision: given.ownRevision,
      furtherRevisions: scenario.furtherRevisions ?? 0,
      platform: platform.requests,
      github: gitHubProxy?.requests ?? [],
      visitsElsewhere: elsewhere.visits,
      overBadTls: platform.overBadTls + (gitHubProxy?.overBadTls ?? 0),
      files: readFiles(workspace),
      violations: github?.violations ?? [],
      records: (github?.deployments() ?? []).map(({ id, statuses }) => ({ id, state: statuses[0]?.state })),
      startedAt,
      endedAt: time.now(),
      timeoutMs: limits.timeout * 1000,
    };
  } finally {
    await world.close();
  }
}

function readFiles(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}
