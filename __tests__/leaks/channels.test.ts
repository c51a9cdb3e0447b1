import { expect, test } from "@jest/globals";
import { GitHubClient } from "../../src/github/client.ts";
import { createComment } from "../../src/github/comments.ts";
import { createRecord, setState } from "../../src/github/deployment-records.ts";
import { withRedaction } from "../../src/redacting-context.ts";
import { recordingContext } from "../support/recording-context.ts";
import { allCanaries, apiKey, bearerToken, clientSecret, githubToken, leaksIn } from "./support/canaries.ts";
import { secretInputs, startLeakScenario } from "./support/leak-scenario.ts";

// Most texts are redacted where they arrive. These tests are about the last place where that is possible.

test("everything that is printed or written into the runner's files is redacted, whoever wrote the text", () => {
  const inputs = { ...secretInputs, bearer_token: bearerToken, client_secret: clientSecret };
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const context = recordingContext(Object.fromEntries(variables));
  const { log, files } = withRedaction(context);

  for (const secret of Object.values(allCanaries)) {
    for (const print of [log.info, log.notice, log.warning, log.error, log.group]) print(`It is ${secret}.`);
    // Short values of `secrets` may be in a URL by chance.
    if (secret.length < 12) continue;
    files.setOutput(`output ${secret.length}`, `It is ${secret}.`);
    files.saveState(`state ${secret.length}`, `It is ${secret}.`);
    files.appendSummary(`It is ${secret}.`);
  }

  const { lines, outputs, state, summary } = context.recorded;
  expect(leaksIn(lines.map(({ text }) => text).join("\n"))).toEqual([]);
  const written = [...Object.values(outputs), ...Object.values(state), summary].join("\n");
  expect(written).not.toMatch(/can[aä]ry|CANARY/);
});

test("everything that is written on GitHub is redacted, whoever wrote the text", async () => {
  const { github, open } = await startLeakScenario();
  const env = { INPUT_API_KEY: apiKey, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "octo-org/octo-repo" };
  const client = new GitHubClient(
    { token: githubToken, requestTimeoutMs: 5000 },
    withRedaction(recordingContext(env)),
  );
  const payload = { deployment_id: apiKey, revision_id: "1" };
  const record = { task: "deploy:x", environment: "staging", transient: false, production: false, payload };
  open();

  await createComment(client, 7, `The platform says ${apiKey}`);
  const id = (await createRecord(client, { ref: "main", ...record })) ?? 0;
  await setState(client, id, {
    state: "success",
    description: apiKey,
    logUrl: "https://github.com/x",
    environmentUrl: `https://x.example/?k=${encodeURIComponent(apiKey)}`,
  });

  expect(github.comments(7)).toMatchObject([{ body: "The platform says ***" }]);
  expect(github.deployments()).toMatchObject([
    {
      payload: { deployment_id: "***", revision_id: "1" },
      statuses: [{ description: "***", environmentUrl: "https://x.example/?k=***" }],
    },
  ]);
});
