/** Sample usage for a new database: the same every time. */
import type { UsageLine } from "./usage-file.ts";

/** The platform has no earlier usage. */
const FIRST_DAY = Date.parse("2026-01-05T00:00:00Z");
const DAY = 86_400_000;

const TEAMS = [
  { project: "support-bot", user: "ada@agents.example", key: "lk-ada…1f", daily: 120 },
  { project: "support-bot", user: "grace@agents.example", key: "lk-gra…2b", daily: 80 },
  { project: "research-agent", user: "grace@agents.example", key: "lk-gra…2b", daily: 45 },
  { project: "nightly-evaluation", user: undefined, key: "lk-bot…9c", daily: 300 },
] as const;

/**
 * A few lines per day for one workspace.
 * @param until milliseconds since the epoch
 */
export function* sampleUsage(workspaceId: string, until: number): Generator<UsageLine> {
  for (let day = FIRST_DAY, number = 0; day < until; day += DAY, number += 1) {
    const weekend = [0, 6].includes(new Date(day).getUTCDay());
    for (const [place, { project, user, key, daily }] of TEAMS.entries()) {
      yield {
        time: day + (8 + 2 * place) * 3_600_000,
        workspace_id: workspaceId,
        workspace_name: "Local workspace",
        project_id: project,
        project_name: project,
        user_id: user ?? "service-account",
        user_email: user,
        api_key_short_key: key,
        // Fewer on weekends, slowly rising, and no two weeks alike.
        traces: Math.round(
          (daily + number / 2) * (weekend ? 0.3 : 1) * (1 + 0.2 * Math.sin(number / 9 + place)),
        ),
      };
    }
  }
}
