import { afterEach, expect, test } from "@jest/globals";
import { runnerFiles } from "../../../../src/report/runner/command-files.ts";
import { recordingContext } from "../../../support/recording-context.ts";

const variables = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];

afterEach(() => {
  for (const name of variables) delete process.env[name];
});

test("files of the runner that can't be written are a warning each, which names what is missing", () => {
  for (const name of variables) process.env[name] = "/dev/full";
  const { log, recorded } = recordingContext({});
  const files = runnerFiles(log);

  for (const value of ["one", "two"]) {
    files.setOutput("name", value);
    files.saveState("name", value);
    files.appendSummary(value);
  }

  const warning = (text: string) => ({ kind: "warning", text: expect.stringMatching(text) });
  expect(recorded.lines).toEqual([
    warning("GITHUB_OUTPUT.*ENOSPC"),
    warning("GITHUB_STATE.*ENOSPC"),
    warning("GITHUB_STEP_SUMMARY.*ENOSPC"),
  ]);
});

test("outside of a workflow no summary is written, without a warning", () => {
  const { log, recorded } = recordingContext({});

  runnerFiles(log).appendSummary("text");

  expect(recorded.lines).toEqual([]);
});
