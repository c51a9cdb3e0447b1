import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { expectHarmless, hostileRuns, outputsOf, times } from "./support/hostile-runs.ts";
import { hostileText, hostileValue } from "./support/hostile-text.ts";

const hostile = hostileRuns();

test("whatever the platform says of usage, it does nothing in log and summary", async () => {
  const workspaceId = "11111111-1111-4111-8111-111111111111";
  const item = fc.record({
    time_bucket: fc.oneof(hostileText, fc.constant("2026-02-01T00:00:00Z")),
    dimensions: fc.record({ workspace_id: hostileText, workspace_name: hostileText, user_id: hostileText }),
    traces: fc.integer({ min: 0, max: 1_000_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 6 }), hostileText, async (usage, words) => {
      hostile.serve((line) =>
        line.endsWith("/export")
          ? { status: 403, body: { detail: words } }
          : { status: 200, body: { stride: { days: 1, hours: 0 }, usage } },
      );
      const inputs = {
        base_url: hostile.url,
        workspace_ids: workspaceId,
        csv_file: `/nonexistent/${words.length}`,
      };
      const step = await hostile.run("usage", inputs);
      expectHarmless(step);
      expect(outputsOf(step).total_traces).toBe(String(usage.reduce((sum, { traces }) => sum + traces, 0)));
    }),
    times(15),
  );
});

test("whatever the platform says of an OAuth provider, it does nothing in log and summary", async () => {
  const provider = fc.record({
    id: hostileValue,
    organization_id: hostileValue,
    provider_id: hostileValue,
    name: hostileValue,
    client_id: hostileValue,
    auth_url: hostileValue,
    token_url: hostileValue,
    uses_pkce: fc.boolean(),
    code_challenge_method: hostileValue,
    created_at: hostileValue,
    updated_at: hostileValue,
  });
  await fc.assert(
    fc.asyncProperty(provider, fc.constantFrom("id", "provider_id"), async (given, asked) => {
      // One that shows neither is no answer to the update.
      const body = { ...given, [asked]: "local-provider" };
      hostile.serve(() => ({ status: 200, body }));
      const step = await hostile.run("oauth-provider", {
        name: "",
        provider_id: "local-provider",
        clear: "code_challenge_method, client_id",
      });
      expect(step.succeeded).toBe(true);
      expectHarmless(step);
      expect(JSON.parse(outputsOf(step).provider ?? "")).toEqual(body);
    }),
    times(15),
  );
});
