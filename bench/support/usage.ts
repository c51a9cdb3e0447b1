const workspace = "11111111-1111-4111-8111-111111111111";
const [firstDay, days] = [Date.parse("2026-02-01T00:00:00Z"), 28];
/** Requests all of the usage. */
export const query = {
  start_time: "2026-02-01T00:00:00.000Z",
  end_time: "2026-03-01T00:00:00.000Z",
  group_by: "project",
  workspace_ids: workspace,
};
/** Long names make large responses of few rows, which cost the emulator little. */
const nameLength = 2000;
const rowBytes = nameLength + 80;

/** A usage file whose CSV export has about this size. */
export function* usageLines(megabytes: number): Generator<string> {
  const projects = Math.ceil((megabytes * 1e6) / rowBytes / days);
  for (let day = 0; day < days; day += 1) {
    const time = new Date(firstDay + day * 86_400_000).toISOString();
    for (let project = 0; project < projects; project += 1) {
      const line = {
        time,
        workspace_id: workspace,
        workspace_name: "Workspace",
        project_id: `project-${project}`,
        project_name: `${project} `.padEnd(nameLength, "name "),
        user_id: "user",
        api_key_short_key: "key",
        traces: 1 + ((day + project) % 9),
      };
      yield `${JSON.stringify(line)}\n`;
    }
  }
}
