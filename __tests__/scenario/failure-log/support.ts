import type { EmulatorOptions } from "../../../emulator/server.ts";
import { type DeployRun, type Inputs, type Scenario, startScenario } from "../../support/scenario.ts";

/** What a team that uses the platform has to give. */
export const langsmith: Inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };

/** The request for a log, as the emulator's rules name it. */
export const logs = { method: "GET", path: "/logs$" };

/** A platform with logs, on which everything of `main` fails to build unless told otherwise. */
export function startFailing(options: EmulatorOptions = {}): Promise<Scenario> {
  return startScenario({ platform: "langsmith", failRefs: { main: "BUILD_FAILED" }, ...options });
}

/** The lines of the group that holds the log; undefined where there is none. */
export function loggedLines(run: DeployRun): string[] | undefined {
  return /^The end of the (?:build|deploy) log\n([\s\S]*?)\n\n/m.exec(run.log)?.[1]?.split("\n");
}

/** The lines of the summary's block of code that isn't the chart. */
export function summaryLines(run: DeployRun): string[] | undefined {
  return /### The end of the (?:build|deploy) log\n\n(`{3,})text\n([\s\S]*?)\n\1\n/
    .exec(run.summary)?.[2]
    ?.split("\n");
}

/** What was asked of the log endpoint, in order. */
export function logQueries(run: DeployRun): Record<string, unknown>[] {
  return run.requests
    .filter(({ path }) => path.endsWith("/logs"))
    .map(({ query }) =>
      Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values.join(",")])),
    );
}
