import { expect, test } from "@jest/globals";
import { readAfterDeploy } from "../../../src/inputs/after-deploy.ts";
import { reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts, waits = true) => reading(inputs, (reader) => readAfterDeploy(reader, waits));

test("a health check lasts a minute and asks no plain http address, where nothing else is said", () => {
  const healthCheck = { path: "/ok", timeoutMs: 60_000, allowHttp: false };
  expect(read({ health_check_path: " /ok ", health_check_timeout_seconds: "", allow_http: " " })).toEqual({
    result: { verifyCommit: false, healthCheck, rollsBack: false, interruptsOnCancel: false },
    problems: [],
    remarks: [],
  });
});

test.each([
  ["ok", "has to start with one /, such as /ok"],
  ["//other.example/", "has to start with one /, such as /ok"],
  ["/a b", "must not hold a blank, a \\, a # or a character beyond ASCII (encode it with %)"],
  ["/a\\b", "must not hold a blank, a \\, a # or a character beyond ASCII (encode it with %)"],
  ["/a#b", "must not hold a blank, a \\, a # or a character beyond ASCII (encode it with %)"],
  ["/a/../b", "must not hold . or .. between two /"],
])("the path %s is refused with the reason", (path, problem) => {
  expect(read({ health_check_path: path }).problems).toEqual([`Input health_check_path ${problem}.`]);
});

test("everything that is wrong is told at once", () => {
  const inputs = {
    verify_commit: "yes",
    health_check_path: "ok",
    health_check_timeout_seconds: "soon",
    allow_http: "no",
    rollback_on_failure: "on",
    on_cancel: "stop",
  };
  expect(read(inputs).problems).toEqual([
    'Input verify_commit has to be true or false, not "yes".',
    'Input health_check_timeout_seconds has to be a number of seconds above 0 and up to 86400, not "soon".',
    "Input health_check_path has to start with one /, such as /ok.",
    'Input allow_http has to be true or false, not "no".',
    'Input rollback_on_failure has to be true or false, not "on".',
    'Input on_cancel has to be leave or interrupt, not "stop".',
  ]);
});

test("what needs a run that waits is told of one that doesn't, all of it", () => {
  const inputs = { verify_commit: "true", health_check_path: "/ok", rollback_on_failure: "true" };
  expect(read(inputs, false).problems).toEqual(
    Object.keys(inputs).map(
      (name) => `Input ${name} needs wait: true, because only then it is known how the revision ends.`,
    ),
  );
});
