import { expect, test } from "@jest/globals";
import { run } from "../../../src/run.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { pushToMain } from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";

const pageSeconds = 10;

/** A page of 20 objects that were on no page before. */
function newPage(page: number): string {
  const resources = Array.from({ length: 20 }, (_, index) => ({
    id: `id-${page}-${index}`,
    status: "BUILD_FAILED",
  }));
  return JSON.stringify({ resources, offset: 20 });
}

test.each([
  ["deployments", "deploy", { INPUT_NAME: "agent" }, /^GET \/v2\/deployments returned 200/],
  ["revisions", "deploy", { INPUT_DEPLOYMENT_ID: "d" }, /^GET \/v2\/deployments\/d\/revisions returned 200/],
  ["revisions", "rollback", { INPUT_DEPLOYMENT_ID: "d" }, /^GET \/v2\/deployments\/d\/revisions returned/],
] as const)(
  "a list of %s that never ends fails the %s at its deadline",
  async (_what, action, env, message) => {
    let pages = 0;
    const methods = new Set<string | undefined>();
    const url = await serve(async (request, response) => {
      methods.add(request.method);
      if (/\/deployments\/d$/.test(request.url ?? "")) {
        response.end(JSON.stringify({ id: "d" }));
        return;
      }
      pages += 1;
      await context.clock.sleep(pageSeconds * 1000, new AbortController().signal);
      response.end(newPage(pages));
    });
    const context = recordingContext({
      ...pushToMain,
      ...env,
      INPUT_CONTROL_PLANE_URL: url,
      INPUT_API_KEY: "key-of-the-test",
      INPUT_WORKSPACE_ID: "workspace",
      INPUT_TIMEOUT_SECONDS: "60",
    });

    const succeeded = await run(action, "main", context);

    const errors = context.recorded.lines.filter(({ kind }) => kind === "error");
    expect(succeeded).toBe(false);
    expect(errors).toMatchObject([{ kind: "error", text: expect.stringMatching(message) }]);
    expect(errors[0]?.text).toContain("the list did not end in time");
    expect(pages).toBe(60 / pageSeconds);
    expect([...methods]).toEqual(["GET"]);
  },
);
