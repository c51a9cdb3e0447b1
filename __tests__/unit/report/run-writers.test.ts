import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { DeploymentIdSchema, RevisionIdSchema } from "../../../src/platform/ids.ts";
import type { RunWriter } from "../../../src/report/run-writers.ts";
import { text } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";

const revision = {
  deploymentId: v.parse(DeploymentIdSchema, "d"),
  revisionId: v.parse(RevisionIdSchema, "r"),
  content: {},
  isCertain: true,
  before: { listed: [], readAt: undefined, latestId: undefined, liveId: undefined },
  waitStartedAt: 0,
};

function writerWith(writer: Partial<RunWriter>): RunWriter {
  const doNothing = async () => {};
  const savedState = { key: "written", value: {} };
  return { savedState, writeRevision: doNothing, writeEnd: doNothing, ...writer };
}

test("the writers of a run write one after the other, the last one first", async () => {
  const { report } = recordingContext({});
  const done: string[] = [];
  for (const name of ["comment", "record"]) {
    const writeRevision = async () => {
      done.push(`${name} begins`);
      await setImmediate();
      done.push(`${name} ends`);
    };
    report.writers.add(writerWith({ writeRevision }));
  }

  report.announceRevision(revision);
  await report.writers.whenIdle();

  expect(done).toEqual(["record begins", "record ends", "comment begins", "comment ends"]);
});

test("a bug in a writer is thrown at the end of the run, and does not skip what is written after it", async () => {
  const { report } = recordingContext({});
  const done: string[] = [];
  const bug = new TypeError("a bug");
  const writeRevision = async () => {
    throw bug;
  };
  report.writers.add(writerWith({ writeRevision, writeEnd: async () => void done.push("end") }));

  report.announceRevision(revision);

  const ended = report.end({ outcome: "deployed", message: text`It is live.` });
  await expect(ended).rejects.toBe(bug);
  expect(done).toEqual(["end"]);
});
