import { afterEach, expect, jest, test } from "@jest/globals";
import { runnerLog } from "../../../../src/report/runner/step-log.ts";

afterEach(() => {
  delete process.env.RUNNER_DEBUG;
  jest.restoreAllMocks();
});

test.each([
  ["prints", "1", [["::debug::GET /path\n"]]],
  ["does not print", "", []],
])("a step %s its debug lines if RUNNER_DEBUG is %j", (_what, variable, printed) => {
  const write = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  process.env.RUNNER_DEBUG = variable;

  runnerLog().debug("GET /path");

  expect(write.mock.calls).toEqual(printed);
});
