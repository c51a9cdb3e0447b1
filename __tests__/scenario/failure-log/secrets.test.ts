import { expect, test } from "@jest/globals";
import { startPreviewScenario } from "../../support/preview-scenario.ts";
import { langsmith, loggedLines, startFailing, summaryLines } from "./support.ts";

const secret = "p4ssw0rd-of-the-database";
const secrets = `DATABASE_KEY=${secret}\nPEM<<END\n-----BEGIN-----\nMIIEvQIBADAN\n-----END-----\nEND`;

/** What a build prints that was given them, and what stands in its place. */
const printed: readonly [string, string][] = [
  [`DATABASE_KEY=${secret}`, "DATABASE_KEY=***"],
  [`{"query":"?key=${Buffer.from(secret).toString("hex")}"}`, '{"query":"?key=***"}'],
  ["-----BEGIN-----\nMIIEvQIBADAN\n-----END-----", "***"],
  ["local-api-key was refused", "*** was refused"],
];

const statuses = [
  { status: "BUILDING", seconds: 5 },
  { status: "BUILD_FAILED", message: `The variable ${secret} can't be read` },
];

test("secrets are in none of the places where the log and the reason are shown", async () => {
  const { deploy, emulator } = await startFailing();
  emulator.misbehave({ kind: "statuses", sequence: statuses });
  emulator.misbehave({ kind: "logs", type: "build", lines: printed.map(([message]) => ({ message })) });
  const run = await deploy({ ...langsmith, secrets });
  expect(loggedLines(run)).toEqual(printed.map(([, shown]) => shown));
  expect(summaryLines(run)).toEqual(printed.map(([, shown]) => shown));
  expect(run.errors[0]).toContain("The platform says: The variable *** can't be read.");
  for (const text of [run.log, run.summary]) expect(text).not.toMatch(/p4ssw0rd|MIIEvQIBADAN|local-api-key/);
});

test("nor in the comment", async () => {
  const { emulator, github, open, preview } = await startPreviewScenario({
    emulator: { platform: "langsmith" },
    github: { files: { "langgraph.json": "{}" } },
  });
  emulator.misbehave({ kind: "statuses", sequence: statuses });
  emulator.misbehave({ kind: "logs", type: "build", lines: printed.map(([message]) => ({ message })) });
  open();
  await preview("opened", { inputs: { ...langsmith, secrets } });
  const body = github.comments(7)[0]?.body ?? "";
  expect(body).toContain(["```text", ...printed.map(([, shown]) => shown), "```"].join("\n"));
  expect(body).not.toMatch(/p4ssw0rd|MIIEvQIBADAN|local-api-key/);
});
