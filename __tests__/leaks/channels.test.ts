import { expect, test } from "@jest/globals";
import { GitHubClient } from "../../src/github/client.ts";
import { redactorFor } from "../../src/inputs/masks.ts";
import { RecordWriter } from "../../src/report/github-record.ts";
import { killedStepWriter } from "../../src/report/killed-step.ts";
import { logWriter } from "../../src/report/log-writer.ts";
import { outputsWriter } from "../../src/report/outputs.ts";
import { CommentWriter } from "../../src/report/pull-request-comment.ts";
import { Report } from "../../src/report/report.ts";
import { summaryWriter } from "../../src/report/summary.ts";
import { code, id, quote, text, url } from "../../src/text/message.ts";
import { recordingContext } from "../support/recording-context.ts";
import { allCanaries, apiKey, bearerToken, clientSecret, githubToken, leaksIn } from "./support/canaries.ts";
import { secretInputs, startLeakScenario } from "./support/leak-scenario.ts";

// Steps hand over raw values, and the report alone removes secrets.

const inputs = { ...secretInputs, bearer_token: bearerToken, client_secret: clientSecret };
const variables = Object.fromEntries(
  Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
);

/** A context whose report knows the secrets of the run. */
function redactingContext(env: Record<string, string> = {}) {
  const context = recordingContext({ ...variables, ...env });
  const { log, clock } = context;
  return { ...context, report: new Report({ log, clock, redact: redactorFor(context.env) }) };
}

test("nothing that the report prints or writes into the runner's files shows a secret, whatever fact holds it", async () => {
  for (const secret of Object.values(allCanaries)) {
    const context = redactingContext();
    const { report, files, clock, workflow, recorded } = context;
    report.add(
      outputsWriter(report, files, clock),
      logWriter(report, clock),
      summaryWriter(report, files, clock, workflow),
      killedStepWriter(report, files),
    );

    // Short values and lines of `secrets` may be in a name, an id or a URL by chance.
    const isDistinctive = secret.length >= 12 && !secret.includes("\n");
    report.planned({ title: secret, name: isDistinctive ? secret : "agent", source: secret });
    report.request(JSON.stringify({ secret }));
    report.requestSent(clock.now());
    if (isDistinctive) {
      report.deploymentId(secret);
      report.revision(secret, { typicalMs: undefined, isResumed: false });
    }
    report.group(text`It is ${code(secret)}`, secret.split("\n"));
    report.unfinishedWork(text`It is ${quote(secret)}.`);
    for (const kind of ["info", "notice", "warning", "error"] as const) {
      report[kind](text`${code(secret)} ${quote(secret)}`);
    }
    const address = `https://x.example/${isDistinctive ? encodeURIComponent(secret) : ""}`;
    const message = text`It is ${code(secret)}, ${quote(secret)}, and ${url(address)}.`;
    await report.end({ outcome: "failed", message, hint: message, problems: [message] });

    const { lines, outputs, state, summary } = recorded;
    const written = [lines.map((line) => line.text), Object.values(outputs), Object.values(state), summary];
    expect(leaksIn(written.flat().join("\n"))).toEqual([]);
  }
});

test("nothing that is written on GitHub shows a secret, whatever fact holds it", async () => {
  const { github, open } = await startLeakScenario();
  const context = redactingContext({ GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "octo-org/octo-repo" });
  const { report } = context;
  const client = new GitHubClient({ token: githubToken, requestTimeoutMs: 5000 }, context);
  const plan = {
    ref: "main",
    task: "preview:x",
    environment: "staging",
    transient: true,
    production: false,
    pullRequest: 7,
    controlPlaneDigest: "digest",
    requestDigest: "digest",
    resumedId: undefined,
    earlier: [],
  };
  open();
  report.add(
    new RecordWriter(plan, client, context),
    new CommentWriter({ name: "agent", pullRequest: 7, headSha: "c" }, client, context),
  );
  Object.assign(report.facts, {
    deploymentId: "d",
    name: `agent ${apiKey}`,
    url: `https://x.example/?k=${encodeURIComponent(apiKey)}`,
    rolledBackTo: apiKey,
  });

  report.revision("r", { typicalMs: undefined, isResumed: false });
  await report.end({ outcome: "deployed", message: text`It is ${id(apiKey)}.` });

  expect(github.deployments()).toMatchObject([
    {
      payload: { deployment_id: "d", revision_id: "r", name: "agent ***" },
      statuses: [
        { description: "deployed, rolled back to ***", environmentUrl: "https://x.example/?k=***" },
        { description: "Revision r" },
      ],
    },
  ]);
  expect(
    leaksIn(
      github
        .comments(7)
        .map(({ body }) => body)
        .join("\n"),
    ),
  ).toEqual([]);
  expect(github.comments(7)[0]?.body).toContain("https://x.example/?k=***");
});
