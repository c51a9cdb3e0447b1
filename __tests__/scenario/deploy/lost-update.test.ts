import { expect, test } from "@jest/globals";
import { expectError, startScenario, writes } from "../../support/scenario.ts";

test("an update whose response is lost is not sent again, and the error says what it may have left", async () => {
  // The emulator, a clock that the test moves, and a deployment named "agent" that is live.
  const { existing, deploy, emulator, stored } = await startScenario();
  await existing();
  // The update takes effect, and the connection breaks before the response.
  emulator.addFault({ kind: "reset", match: { method: "PATCH" }, applied: true });

  const run = await deploy({ health_check_path: "/ok" });

  // What the user sees, then what the platform saw.
  expectError(run, "Could not confirm whether the update of", "may still be running");
  expect(run.outputs.outcome).toBe("failed");
  expect(writes(run.requests)).toHaveLength(1);
  expect(stored().revisions).toHaveLength(2);
});
