// The logs of what was really built and run.
import { afterAll, expect, test } from "@jest/globals";
import { RecordedLog } from "../control-plane/recorded-log.ts";
import { logPageOf } from "../log-pages.ts";
import { openDatabase } from "../store/database.ts";
import { DeploymentStore } from "../store/deployments.ts";
import { RevisionLogs } from "../store/revision-logs.ts";
import { timelineOf } from "../timeline.ts";
import { createRequest } from "./support/client.ts";

const database = openDatabase({ file: undefined, isForRuns: false, fill() {} });
afterAll(() => database.close());
const store = new DeploymentStore(database);
const logs = new RevisionLogs(database);
const recorded = new RecordedLog(database);

function newRevision(status: string) {
  const deployment = store.insert(createRequest(), 0);
  const timeline = timelineOf([{ status, seconds: 0 }]);
  return store.insertRevision({ deployment, config: {}, at: 0, timeline });
}

const first = { order: "asc", limit: 1 } as const;

test("the lines that were stored are entries, page by page", () => {
  const revision = newRevision("BUILD_FAILED");
  const [one, two] = ["one", "two"].map((message) => ({ timestampMs: 5, level: "INFO", message }));
  logs.append(
    revision.id,
    "build",
    [one, two].flatMap((line) => line ?? []),
  );
  const content = recorded.read([revision], "build", 0);

  const page = logPageOf(content, first);

  const offset = content.entries[0]?.place;
  expect(page.logs).toEqual([{ id: String(offset), timestamp: 5, level: "INFO", message: "one" }]);
  expect(page.next_offset).not.toBeNull();
  expect(logPageOf(content, { ...first, offset })).toMatchObject({
    logs: [{ message: "two" }],
    next_offset: null,
  });
});

test.each([
  ["build", "BUILDING", false],
  ["build", "BUILD_FAILED", true],
  ["build", "DEPLOYED", true],
  ["deploy", "DEPLOYING", false],
  ["deploy", "DEPLOYED", false],
  ["deploy", "INTERRUPTED", true],
] as const)("the %s log of a revision that is %s is complete: %s", (type, status, isComplete) => {
  const content = recorded.read([newRevision(status)], type, 0);

  expect(content.isComplete).toBe(isComplete);
});
