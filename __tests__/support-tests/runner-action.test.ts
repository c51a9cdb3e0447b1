import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { defaultToken, runAction, startAction } from "../support/runner/run-action.ts";

let root: string;

/** Writes an action with these ES modules as phases. */
async function writeAction(folder: string, main: string, post?: string): Promise<void> {
  const path = join(root, folder);
  await mkdir(path, { recursive: true });
  const definition = `
name: Fixture
inputs:
  with_default: { default: 4 }
  two words: { required: true }
  github_token: { default: "\${{ github.token }}" }
runs:
  using: node24
  main: main.mjs
${post === undefined ? "" : "  post: post.mjs"}
`;
  await writeFile(join(path, "action.yml"), definition);
  await writeFile(join(path, "main.mjs"), main);
  await writeFile(join(path, "post.mjs"), post ?? "");
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "action-fixture-"));
  await writeAction(
    ".",
    `import { appendFileSync, readFileSync } from "node:fs";
     const { env } = process;
     console.log(JSON.stringify({ env, cwd: process.cwd(), event: JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")) }));
     console.log("::add-mask::hide-this-one");
     console.error("::error title=Oh::on stderr hide-this-one");
     appendFileSync(env.GITHUB_OUTPUT, "a=1\\nb<<E\\ntwo\\nlines\\nE\\na=2\\nlost=has hide-this-one\\n");
     appendFileSync(env.GITHUB_STATE, "kept=yes\\n");
     appendFileSync(env.GITHUB_ENV, "EXPORTED=1\\n");
     appendFileSync(env.GITHUB_STEP_SUMMARY, "# Summary hide-this-one\\n");
     process.exitCode = 3;`,
    `console.log("kept is " + process.env.STATE_kept);`,
  );
  await writeAction(
    "sweep",
    `process.on("SIGINT", () => console.log("got SIGINT"));
     process.on("SIGTERM", () => { console.log("got SIGTERM"); process.exit(7); });
     setInterval(() => {}, 1000);
     process.stdout.write("half");
     setTimeout(() => console.log(" ready"), 10);`,
  );
  await writeAction(
    "delete",
    `process.stdout.write("::set-env name=A::b\\rone\\r"); process.stdout.write("\\ntwo");`,
  );
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

test("an action gets its inputs and the variables of the runner, and nothing else", async () => {
  process.env.LEAKED_INTO_TEST = "yes";
  const run = await runAction({
    action: "deploy",
    root,
    inputs: { "two words": "x" },
    env: { GITHUB_REF: "refs/tags/v1", RUNNER_DEBUG: "1" },
  });
  delete process.env.LEAKED_INTO_TEST;
  const { env, cwd, event } = JSON.parse(run.stdout.split("\n")[0] ?? "");

  expect(env).toMatchObject({
    INPUT_WITH_DEFAULT: "4",
    INPUT_TWO_WORDS: "x",
    INPUT_GITHUB_TOKEN: defaultToken,
    GITHUB_REPOSITORY: "octo-org/octo-repo",
    GITHUB_EVENT_NAME: "push",
    GITHUB_REF: "refs/tags/v1",
    GITHUB_REF_NAME: "v1",
    GITHUB_REF_TYPE: "tag",
    GITHUB_HEAD_REF: "",
    RUNNER_DEBUG: "1",
  });
  const runnersOwn = /^(?:GITHUB_\w+|RUNNER_\w+|INPUT_\w+|PATH|HOME|TMPDIR|CI)$/u;
  expect(Object.keys(env).filter((name) => !runnersOwn.test(name))).toEqual([]);
  expect(env.GITHUB_TOKEN).toBeUndefined();
  expect(cwd).toBe(env.GITHUB_WORKSPACE);
  expect(event).toEqual({ ref: "refs/heads/main" });
});

test("the files, exit code and log of an action are read like by the runner", async () => {
  const run = await runAction({ action: "deploy", root });

  expect(run).toMatchObject({
    exitCode: 3,
    signal: null,
    conclusion: "failure",
    outputs: { a: "2", b: "two\nlines", lost: "has hide-this-one" },
    jobOutputs: { a: "2", b: "two\nlines" },
    state: { kept: "yes" },
    exportedEnvironment: { EXPORTED: "1" },
    summary: "# Summary hide-this-one\n",
    stderr: "::error title=Oh::on stderr hide-this-one\n",
  });
  expect(run.log.annotations).toMatchObject([{ level: "error", title: "Oh" }]);
  expect(run.log.masks).toEqual(["hide-this-one"]);
  expect(run.log.masked(run.summary)).toBe("# Summary ***");
});

test("a refused command fails the step, whatever the exit code of the process", async () => {
  const run = await runAction({ action: "delete", root });

  expect(run).toMatchObject({ exitCode: 0, conclusion: "failure" });
  expect(run.log.lines.slice(-2)).toEqual(["one", "two"]);
});

test("waiting for text that is never printed fails when the action ends", async () => {
  const started = await startAction({ action: "delete", root });

  await expect(started.waitForLog("never")).rejects.toThrow(/without printing never/u);
  await started.result;
});

test("an action that does not end in time is killed, and the run throws", async () => {
  await expect(runAction({ action: "sweep", root, limit: 300 })).rejects.toThrow(
    /did not end within 300 ms/u,
  );
});

test("an input or a phase that the action does not have throws", async () => {
  await expect(runAction({ action: "deploy", root, inputs: { "two-words": "" } })).rejects.toThrow(
    "two-words",
  );
  await expect(runAction({ action: "sweep", phase: "post", root })).rejects.toThrow("no post phase");
});
