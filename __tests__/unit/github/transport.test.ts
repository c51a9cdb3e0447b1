import { afterEach, describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { GitHubError } from "../../../src/github/errors.ts";
import { pageSize } from "../../../src/github/pages.ts";
import { GitHubTransport } from "../../../src/github/transport.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

const settings = { token: "t", repository: "octo-org/octo-repo", requestTimeoutMs: 60_000 };
const purpose = { what: "reading a list", permission: "a: read" };

test("each page of a list has its own time, and only the first counts as a call", async () => {
  const transport = new GitHubTransport(settings, recordingContext({}));
  const signals: AbortSignal[] = [];
  const Page = v.array(v.object({ id: v.number() }));
  const items = await transport.readPages(purpose, Page, async (_octokit, { request }, page) => {
    signals.push(request.signal);
    return Array.from({ length: page < 4 ? pageSize : 1 }, (_item, index) => ({ id: page * 1000 + index }));
  });
  expect(items).toHaveLength(3 * pageSize + 1);
  expect(new Set(signals).size).toBe(4);
  expect(transport.calls).toBe(1);
});

describe("what this action does wrong before GitHub is asked isn't taken for GitHub's trouble", () => {
  const defect = new TypeError("x is not a function");

  test("in a call", async () => {
    const transport = new GitHubTransport(settings, recordingContext({}));
    const call = () => Promise.reject(defect);
    await expect(transport.read(purpose, v.unknown(), call)).rejects.toBe(defect);
    await expect(transport.write(purpose, v.unknown(), call)).rejects.toBe(defect);
  });

  test("in what it does to a call", async () => {
    const value = () => {
      throw defect;
    };
    const context = { ...recordingContext({}), redact: { words: String, value } };
    const comment = new GitHubTransport(settings, context).write(purpose, v.unknown(), (octokit, options) =>
      octokit.request("POST /repos/{owner}/{repo}/issues/7/comments", { ...options, body: "text" }),
    );
    await expect(comment).rejects.toBe(defect);
  });
});

describe("what this machine has wrong keeps it from GitHub, and is no defect", () => {
  afterEach(() => {
    delete process.env.HTTPS_PROXY;
  });

  test.each([
    ["a proxy that isn't an address", "user:100%@127.0.0.1:1", "https://github.invalid"],
    ["a proxy of an unknown kind", "socks5://127.0.0.1:1", "https://github.invalid"],
    ["an API that isn't an address", undefined, "github"],
  ])("%s", async (_what, proxy, api) => {
    if (proxy !== undefined) process.env.HTTPS_PROXY = proxy;
    const transport = new GitHubTransport(settings, recordingContext({ GITHUB_API_URL: api }));
    const asked = transport.read(purpose, v.unknown(), (octokit, options) =>
      octokit.request("GET /repos/{owner}/{repo}", { ...options }),
    );
    await expect(asked).rejects.toThrow(GitHubError);
  });
});

describe("where an answer makes no sense, that is said in place of what the toolkit stumbled over", () => {
  const senseless =
    "GitHub: reading a list failed: the answer makes no sense; it may come from something before GitHub.";

  test.each([
    ["null to GraphQL", "application/json", "null"],
    ["JSON that is nested without end", "application/json", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
  ])("%s", async (_what, type, body) => {
    const status = body.startsWith("[") ? 400 : 200;
    const api = await serve((_request, response) =>
      response.writeHead(status, { "content-type": type }).end(body),
    );
    const transport = new GitHubTransport(settings, recordingContext({ GITHUB_API_URL: api }));
    const asked = transport.read(purpose, v.unknown(), (octokit, { request }) =>
      octokit.graphql("query { viewer { login } }", { request }),
    );
    await expect(asked).rejects.toMatchObject({ message: senseless });
  });
});
