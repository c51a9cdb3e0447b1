// The logs of revisions in the database.
import { afterAll, expect, test } from "@jest/globals";
import { RecordedLog } from "../control-plane/recorded-log.ts";
import { openDatabase } from "../store/database.ts";
import { DeploymentStore } from "../store/deployments.ts";
import { type LogLine, RevisionLogs } from "../store/revision-logs.ts";
import { timelineOf } from "../timeline.ts";
import { createRequest } from "./support/client.ts";

const database = openDatabase({ file: undefined, isForRuns: false, fill() {} });
afterAll(() => database.close());
const store = new DeploymentStore(database);
const logs = new RevisionLogs(database);

function newRevision(status = "BUILDING") {
  const deployment = store.insert(createRequest(), 0);
  const timeline = timelineOf([{ status, seconds: 0 }]);
  return store.insertRevision({ deployment, config: {}, at: 0, timeline });
}

const line = (message: string): LogLine => ({ timestampMs: 7.5, level: "INFO", message });
const messagesOf = (id: string) => logs.lines([id], "build").map(({ message }) => message);

test("the two logs of a revision keep their lines in order, apart from those of other revisions", () => {
  const { id } = newRevision();
  const other = newRevision();
  logs.append(id, "build", [line("a"), line("a\0b")]);
  logs.append(other.id, "build", [line("other")]);
  logs.append(id, "build", [line("c")]);
  logs.append(id, "deploy", [{ timestampMs: 8, level: "ERROR", message: "d" }]);

  expect(messagesOf(id)).toEqual(["a", "a\0b", "c"]);
  expect(logs.lines([id], "deploy")).toMatchObject([{ timestampMs: 8, level: "ERROR", message: "d" }]);
  expect(logs.lines([other.id, id], "build").map(({ message }) => message)).toEqual([
    ...["a", "a\0b"],
    ...["other", "c"],
  ]);
});

test("a log keeps its last 10,000 lines", () => {
  const { id } = newRevision();
  const lines = Array.from({ length: 10_003 }, (_, number) => line(String(number)));

  logs.append(id, "build", lines);
  logs.append(id, "build", [line("last"), line("last of all")]);

  const kept = messagesOf(id);
  expect(kept).toHaveLength(10_000);
  expect([kept[0], ...kept.slice(-3)]).toEqual(["5", "10002", "last", "last of all"]);
});

test("a message is cut at 4 KiB, and no character is split", () => {
  const { id } = newRevision();

  logs.append(id, "build", [line("x".repeat(4096)), line("x".repeat(4097)), line(`abc${"😀".repeat(2000)}`)]);

  expect(messagesOf(id)).toEqual(["x".repeat(4096), "x".repeat(4096), `abc${"😀".repeat(1023)}`]);
});

test("a revision that no longer exists has no log", () => {
  const { id, deployment_id } = newRevision();
  logs.append(id, "build", [line("a")]);
  store.delete(deployment_id, 0);
  store.purge(0);

  logs.append(id, "build", [line("b")]);

  expect(messagesOf(id)).toEqual([]);
});

test.each([
  ["build", "BUILDING", "may grow"],
  ["build", "BUILD_FAILED", "is complete"],
  ["build", "DEPLOYED", "is complete"],
  ["deploy", "DEPLOYING", "may grow"],
  ["deploy", "DEPLOYED", "may grow"],
  ["deploy", "INTERRUPTED", "is complete"],
] as const)("the %s log of a revision that is %s %s", (type, status, state) => {
  const { isComplete } = new RecordedLog(database).read([newRevision(status)], type, 0);

  expect(isComplete).toBe(state === "is complete");
});
