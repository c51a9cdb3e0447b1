import { runDeploy } from "./support/deploy.ts";
import { type Measurement, median } from "./support/measurement.ts";

/** How long a revision has each of its six statuses: their ends fall into different places between two polls. */
const statusSeconds = [2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7];
const statuses = 6;
/** The default interval, and half a second. */
const maxLagSeconds = 3.5;

/** How long after the end of a deployment the step ends, with the default poll interval. */
export async function measurePollLag(): Promise<Measurement> {
  // Without statuses to wait for, all that is left is start-up and requests.
  const rest = await deploySeconds(0);
  const lags = await Promise.all(
    statusSeconds.map(async (seconds) => (await deploySeconds(seconds)) - statuses * seconds - rest),
  );
  const longest = Math.max(...lags);
  return [
    {
      what: "poll lag",
      figure: `median ${median(lags).toFixed(1)} s, longest ${longest.toFixed(1)} s`,
      goal: `at most ${maxLagSeconds} s`,
      isMissed: longest > maxLagSeconds,
    },
  ];
}

async function deploySeconds(seconds: number): Promise<number> {
  return (await runDeploy(seconds)).milliseconds / 1000;
}
