import { expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { GitHubClient } from "../../../src/github/github-client.ts";
import { findMissingPart, readPullRequest } from "../../../src/github/repository.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

type Answer = [status: number, body: unknown];
const file: Answer = [200, { type: "file" }];
const folder: Answer = [200, []];
const missing: Answer = [404, { message: "Not Found" }];
const refused: Answer = [403, { message: "Resource not accessible" }];

/** A GitHub with these contents by `path@ref`, and the context of a run of commit `sha`. */
async function gitHubWith(contents: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    const path = decodeURIComponent(pathname).replace(/^\/repos\/octo-org\/octo-repo\/contents\/?/, "");
    const place = `${path}@${searchParams.get("ref")}`;
    asked.push(place);
    const [status, body] = contents[place] ?? missing;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: "octo-org/octo-repo", GITHUB_SHA: "sha" };
  const context = recordingContext(env);
  return { context, github: new GitHubClient("token-1", 30_000, context), asked };
}

const main = "refs/heads/main";

test.each<[string, string | undefined, Record<string, Answer>, "ref" | "file" | undefined]>([
  ["nothing, if the file is there", "./a.json", { [`a.json@${main}`]: file }, undefined],
  ["the file, if only the root is there", "a.json", { [`@${main}`]: folder }, "file"],
  ["nothing, if the path may not be read", "a.json", { [`a.json@${main}`]: refused }, undefined],
  ["nothing, if the root may not be read", "a.json", { [`@${main}`]: refused }, undefined],
  ["the ref, if its root is missing and that of the run is not", "a.json", { "@sha": folder }, "ref"],
  ["nothing, if no root can be read", "a.json", {}, undefined],
  [
    "nothing of a source without a file, if its root is there",
    undefined,
    { [`@${main}`]: folder },
    undefined,
  ],
  ["the ref of a source without a file", undefined, { "@sha": folder }, "ref"],
])("of a source, GitHub lacks %s", async (_what, path, contents, expected) => {
  const { context, github } = await gitHubWith(contents);

  expect(await findMissingPart({ ref: "main", path }, github, context)).toBe(expected);
});

test("a file that is there is asked for once, at the full name of its ref", async () => {
  const { context, github, asked } = await gitHubWith({ "a/b.json@refs/tags/v1": file });

  await findMissingPart({ ref: "refs/tags/v1", path: "a/b.json" }, github, context);

  expect(asked).toEqual(["a/b.json@refs/tags/v1"]);
});

test("after a cancellation nothing is said to be missing", async () => {
  const { context, github } = await gitHubWith({ [`a.json@${main}`]: refused });
  const cancellation = new CancelledError("SIGINT");
  context.cancel(cancellation);

  await expect(findMissingPart({ ref: "main", path: "a.json" }, github, context)).rejects.toBe(cancellation);
});

test.each([
  [
    { number: 7, state: "closed", labels: [{ name: "a" }, { name: "b" }] },
    { state: "closed", labels: [{ name: "a" }, { name: "b" }] },
  ],
  [
    { number: 7, state: "open", labels: [] },
    { state: "open", labels: [] },
  ],
])("the pull request %j is read as %j", async (body, expected) => {
  const url = await serve((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
  );
  const context = recordingContext({ GITHUB_API_URL: url, GITHUB_REPOSITORY: "octo-org/octo-repo" });

  expect(await readPullRequest(new GitHubClient("token-1", 30_000, context), 7)).toEqual(expected);
});

test.each([
  { number: 7, state: "merged", labels: [] },
  { number: 7, state: "open" },
  { number: 7, state: "open", labels: [{}] },
])("the response %j says nothing of the pull request", async (body) => {
  const url = await serve((_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
  );
  const context = recordingContext({ GITHUB_API_URL: url, GITHUB_REPOSITORY: "octo-org/octo-repo" });

  await expect(readPullRequest(new GitHubClient("token-1", 30_000, context), 7)).rejects.toThrow(
    "not what GitHub describes",
  );
});
