import { expect, test } from "@jest/globals";
import { dispatch } from "./support/events.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

const { emulator, run } = await useReadyWorkflow("rotate-client-secret.yml");

test("the new client secret is sent to the provider that was chosen", async () => {
  const ended = await run(dispatch({ provider_id: "local-provider" }));

  expect(ended).toMatchObject({ succeeded: true, jobs: { rotate: "success" } });
  expect(emulator.requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    "PATCH /v2/auth/providers/local-provider 200",
  ]);
  expect(emulator.requests[0]?.body).toEqual({ client_secret: "client-secret-of-the-workflow-tests" });
});
