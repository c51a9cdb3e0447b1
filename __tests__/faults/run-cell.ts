import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cell } from "./cells.ts";
import type { Certificates } from "./certificates.ts";
import { hangs } from "./faults.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import type { Observation } from "./observation.ts";
import type { Request, Scenario, Target } from "./scenario.ts";
import type { Limits, Step } from "./step.ts";
import { startTestBed, type TestBed } from "./test-bed.ts";

/** The requests of a run without a fault. */
export type Baseline = Readonly<Record<Request["server"], readonly ProxiedRequest[]>>;

const usualLimits: Limits = { request: 30, timeout: 90 };
/** What hangs takes real time, so it is limited to little of it. */
const hangingLimits: Limits = { request: 0.3, timeout: 20 };

/** Runs a scenario without a fault. */
export async function observeUsual(
  scenario: Scenario,
  certificates: Certificates,
  step: Step,
): Promise<Observation> {
  const bed = await startTestBed(scenario, certificates, step.time);
  return await observe(scenario, bed, step, usualLimits);
}

export function baselineOf({ platform, github }: Observation): Baseline {
  return { platform, GitHub: github };
}

/** The index of the target among the requests of a run without a fault; -1 if it is not made. */
export function indexOf({ server, route, from = 1 }: Target, baseline: Baseline): number {
  const requests = baseline[server];
  const indexes = requests.flatMap((request, index) =>
    route(request, requests.slice(0, index)) ? [index] : [],
  );
  return indexes[from - 1] ?? -1;
}

/** Runs the scenario of a cell with its fault. */
export async function observeCell(
  { scenario, target, fault, applied, times }: Cell,
  baseline: Baseline,
  certificates: Certificates,
  step: Step,
): Promise<Observation> {
  const { server, route, from = 1 } = target;
  const requestsBefore = indexOf(target, baseline);
  const placed = { server, fault, applied, times, route, from, requestsBefore };
  const bed = await startTestBed(scenario, certificates, step.time, placed);
  return await observe(scenario, bed, step, hangs(fault) ? hangingLimits : usualLimits);
}

async function observe(
  scenario: Scenario,
  bed: TestBed,
  { time, run }: Step,
  limits: Limits,
): Promise<Observation> {
  const { emulator, github, platform, gitHubProxy, otherHost, options, files } = bed;
  try {
    const before = emulator.deployments();
    const startedAt = time.now();
    const result = await run(scenario, bed, limits);
    return {
      ...result,
      action: scenario.action,
      ending: result.outputs.outcome ?? (result.succeeded ? "done" : "failed"),
      before,
      after: emulator.deployments(),
      options,
      otherRevisions: scenario.otherRevisions ?? 0,
      platform: platform.requests,
      github: gitHubProxy?.requests ?? [],
      visitsToOtherHost: otherHost.visits,
      overBadTls: platform.overBadTls + (gitHubProxy?.overBadTls ?? 0),
      files: readFiles(files.workspace),
      violations: github?.violations ?? [],
      records: (github?.deployments() ?? []).map(({ id, statuses }) => ({ id, state: statuses[0]?.state })),
      startedAt,
      endedAt: time.now(),
      timeoutMs: limits.timeout * 1000,
    };
  } finally {
    await bed.close();
  }
}

function readFiles(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}
