import { expect, test } from "@jest/globals";
import type { Facts } from "../../../src/progress/facts.ts";
import { Progress } from "../../../src/progress/progress.ts";
import { showing } from "../../../src/progress/shown.ts";
import { recordingContext } from "../../support/recording-context.ts";

const redact = {
  words: (text: string) => text.replaceAll("secret", "(words)"),
  value: (text: string) => text.replaceAll("secret", "(value)"),
};

const facts: Facts = {
  startedAt: 1,
  title: "a secret",
  deploymentId: "a secret",
  name: "a secret",
  created: true,
  url: "https://a-secret.example/",
  revisionId: "a secret",
  resumed: true,
  commitSha: "a secret",
  source: "a secret",
  writtenAt: 2,
  statuses: [
    { status: "a secret", at: 3 },
    { status: "none", at: 4 },
  ],
  statusMessage: "a secret",
  typicalMs: 5,
  failureLog: { type: "build", lines: ["a secret", "none"] },
  stage: "a secret",
  healthIsOpen: true,
  rolledBackTo: "a secret",
  request: "a secret",
  unsettled: "a secret",
  deleted: ["a secret", "none"],
};

test("what may come from the platform is shown without secrets, all else as it is", () => {
  expect(showing(redact)(facts)).toEqual({
    ...facts,
    deploymentId: "a (value)",
    name: "a (value)",
    url: "https://a-(value).example/",
    revisionId: "a (value)",
    commitSha: "a (value)",
    statuses: [
      { status: "a (words)", at: 3 },
      { status: "none", at: 4 },
    ],
    statusMessage: "a (words)",
    failureLog: { type: "build", lines: ["a (words)", "none"] },
    stage: "a (words)",
    rolledBackTo: "a (value)",
    request: "a (words)",
    unsettled: "a (words)",
    deleted: ["a (words)", "none"],
  });
});

test("what isn't known yet isn't known to those who are told, either", () => {
  const { facts: none } = new Progress(recordingContext({}));
  expect(showing(redact)(none)).toEqual(none);
});

test("what is too long for a summary is cut", () => {
  const shown = showing(redact)({ ...facts, stage: "x".repeat(3001), name: "x".repeat(3000) });
  expect(shown.stage).toBe(`${"x".repeat(2999)}…`);
  expect(shown.name).toBe("x".repeat(3000));
});

test("a text that comes again and again is looked through once", () => {
  let looks = 0;
  const words = (text: string) => {
    looks += 1;
    return text;
  };
  const show = showing({ ...redact, words });
  const statuses = Array.from({ length: 1000 }, (_status, at) => ({ status: `S-${at % 2}`, at }));
  show({ ...facts, statuses });
  const first = looks;
  show({ ...facts, statuses });
  expect([first < 20, looks]).toEqual([true, first]);
});
