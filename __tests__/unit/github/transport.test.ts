import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { pageSize } from "../../../src/github/pages.ts";
import { GitHubTransport } from "../../../src/github/transport.ts";
import { recordingPorts } from "../../support/recording-ports.ts";

test("each page of a list has its own time, and only the first counts as a call", async () => {
  const settings = { token: "t", repository: "octo-org/octo-repo", requestTimeoutMs: 60_000 };
  const transport = new GitHubTransport(settings, recordingPorts({}));
  const signals: AbortSignal[] = [];
  const Page = v.array(v.object({ id: v.number() }));
  const items = await transport.readPages(
    { what: "reading a list", permission: "a: read" },
    Page,
    async (_octokit, { request }, page) => {
      signals.push(request.signal);
      return Array.from({ length: page < 4 ? pageSize : 1 }, (_item, index) => ({ id: page * 1000 + index }));
    },
  );
  expect(items).toHaveLength(3 * pageSize + 1);
  expect(new Set(signals).size).toBe(4);
  expect(transport.calls).toBe(1);
});
