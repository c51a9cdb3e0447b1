import { expect, test } from "@jest/globals";
import { readSettleInputs } from "../../../src/inputs/clean-up.ts";
import { reading, type Texts } from "./support/reading.ts";

test.each<[string, Texts, unknown]>([
  ["nothing", {}, { githubToken: undefined, requestTimeoutMs: 30_000 }],
  ["empty ones", { github_token: " ", request_timeout_seconds: "" }, { requestTimeoutMs: 30_000 }],
  [
    "both",
    { github_token: "some-token", request_timeout_seconds: "5" },
    { githubToken: "some-token", requestTimeoutMs: 5_000 },
  ],
  ["what the main step refused", { request_timeout_seconds: "soon" }, { requestTimeoutMs: 30_000 }],
])("%s", (_what, inputs, result) => {
  expect(reading(inputs, readSettleInputs).result).toEqual(result);
});
