import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { OptionError, readCommandLine } from "../command-line.ts";
import { withTemporaryFolder } from "./support/emulator.ts";
import { INTEGRATION_ID } from "./support/langsmith.ts";

const OTHER = "11111111-1111-4111-8111-111111111111";
const SHA = "0123456789abcdef0123456789abcdef01234567";

test("without options the emulator is the standard one, with sample usage", () => {
  expect(readCommandLine([])).toEqual({
    verbose: false,
    help: false,
    emulator: {
      host: "127.0.0.1",
      port: 8124,
      dataFile: undefined,
      usageFile: undefined,
      sampleUsage: true,
      statusSeconds: 1,
      platform: "standard",
      region: undefined,
      listeners: [],
      commits: {},
      unhealthyRefs: [],
      page: true,
      failRefs: {},
      faults: [],
    },
  });
});

test("every option reaches the emulator", () => {
  const { emulator } = readCommandLine([
    ...["--host", "localhost", "--port", "0", "--data", "emulator.db", "--usage", "usage.jsonl"],
    ...["--status-seconds", "0.5", "--api-key", "own", "--workspace-id", OTHER, "--platform", "langsmith"],
    ...["--fail-ref", "broken=BUILD_FAILED", "--fail-ref", "a=b=SKIPPED", "--commit", `a=b=${SHA}`],
    ...["--unhealthy-ref", "sick", "--agent-key", "agent-key", "--no-page"],
    ...["--region", "aws-us", "--listener", `${OTHER}=agents,more`, "--listener", `${INTEGRATION_ID}=own`],
  ]);

  expect(emulator).toEqual({
    host: "localhost",
    port: 0,
    dataFile: "emulator.db",
    usageFile: "usage.jsonl",
    sampleUsage: false,
    statusSeconds: 0.5,
    apiKey: "own",
    workspaceId: OTHER,
    platform: "langsmith",
    region: "aws-us",
    listeners: [
      { id: OTHER, namespaces: ["agents", "more"] },
      { id: INTEGRATION_ID, namespaces: ["own"] },
    ],
    failRefs: { broken: "BUILD_FAILED", "a=b": "SKIPPED" },
    commits: { "a=b": SHA },
    unhealthyRefs: ["sick"],
    agentKey: "agent-key",
    page: false,
    faults: [],
  });
});

test("a repository belongs to the integration before it, by default to the sample", () => {
  const own = ["https://github.com/me/app", "https://github.com/me/web"];
  const args = [...own, `${OTHER}=https://github.com/us/app`].flatMap((text) => ["--repository", text]);

  expect(readCommandLine(args).emulator.integrations).toEqual([
    { id: INTEGRATION_ID, name: "me", repositories: own },
    { id: OTHER, name: "us", repositories: ["https://github.com/us/app"] },
  ]);
});

test("--faults names a file of fault rules", () =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, "faults.json");
    await writeFile(file, '[{ "kind": "slow_delete", "seconds": 5 }]');

    for (const args of [["--faults", file], [`--faults=${file}`]]) {
      expect(readCommandLine(args).emulator.faults).toEqual([
        { kind: "slow_delete", seconds: 5, status: "AWAITING_DELETE" },
      ]);
    }
  }));

test("an invalid fault rule is refused with its place in the file", () =>
  withTemporaryFolder(async (folder) => {
    const file = join(folder, "faults.json");
    await writeFile(file, '[{ "kind": "hang" }, { "kind": "answer", "status": 99 }]');

    const read = () => readCommandLine(["--faults", file]);

    expect(read).toThrow(OptionError);
    expect(read).toThrow("1.status");
  }));

test.each([
  [["--port", "70000"], "--port"],
  [["--port", "http"], "--port"],
  [["--port", ""], "--port"],
  [["--status-seconds", "-1"], "--status-seconds"],
  [["--status-seconds", "soon"], "--status-seconds"],
  [["--fail-ref", "main"], "--fail-ref"],
  [["--fail-ref", "main=failed"], "--fail-ref"],
  [["--faults", "/nowhere/faults.json"], "--faults"],
  [["--platform", "langchain"], "standard or langsmith"],
  [["--commit", "main"], "--commit"],
  [["--commit", "main=abc"], "--commit"],
  [["--repository", "octo-org/octo-repo"], "--repository"],
  [["--repository", "integration-1=https://github.com/a/b"], "--repository"],
  [["--region", "aws"], "--region has to be us, eu, apac, aws-us"],
  [["--listener", OTHER], "--listener"],
  [["--listener", "cluster=agents"], "--listener"],
  [["--listener", `${OTHER}=agents,`], "--listener"],
  [["--unhealthy-ref", ""], "--unhealthy-ref"],
  [["--agent-key", ""], "--agent-key"],
  [["--prot", "1"], "--prot"],
  [["8124"], "8124"],
  [["--api-key"], "--api-key"],
])("the options %j are refused with a message that names them", (args, name) => {
  expect(() => readCommandLine(args)).toThrow(OptionError);
  expect(() => readCommandLine(args)).toThrow(name);
});

test("--run takes options of its own, and listens on the loopback only", () => {
  const args = ["--run", "--work-dir", "work", "--build-command", "make", "--start-command", "run"];

  expect(readCommandLine([...args, "--ready-seconds", "5"]).emulator.run).toEqual({
    workDir: "work",
    buildCommand: "make",
    startCommand: "run",
    readySeconds: 5,
  });
  expect(readCommandLine(["--run", "--host", "::1"]).emulator.run).toEqual({});
  expect(() => readCommandLine(["--run", "--host", "0.0.0.0"])).toThrow(
    "--host has to be a loopback address",
  );
  expect(() => readCommandLine(["--work-dir", "work"])).toThrow("--work-dir needs --run");
});
