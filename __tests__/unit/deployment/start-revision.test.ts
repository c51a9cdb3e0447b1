import { expect, test } from "@jest/globals";
import { noRevisions } from "../../../src/deploy/apply/match-revision.ts";
import { startRevision } from "../../../src/deploy/deploy.ts";
import { CancelledError } from "../../../src/errors.ts";
import type { RunEvent } from "../../../src/events.ts";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { planned } from "./support/planned.ts";
import { scriptedPlatform } from "./support/scripted-platform.ts";

test.each([
  ["interrupt", 1],
  ["leave", 0],
])(
  "a run that is cancelled while its new revision is reported interrupts it with on_cancel: %s (%d)",
  async (onCancel, requests) => {
    const context = recordingContext({});
    const platform = await scriptedPlatform({ "/revisions/ours/interrupt": () => ({}) }, context);
    const inputs = readDeployInputs(new InputReader({ INPUT_ON_CANCEL: onCancel }));
    const cancellation = new CancelledError("SIGINT");
    const emit = async (event: RunEvent) => {
      await context.emit(event);
      if (event.kind !== "revision_identified") return;
      context.cancel(cancellation);
      throw cancellation;
    };
    const applied = {
      deploymentId: "agent",
      revisionId: "ours",
      source: {},
      writtenAt: 0,
      before: noRevisions,
      liveBefore: undefined,
    };
    const deployment = {
      plan: planned({}).plan,
      inputs: { ...inputs, controlPlane: platform.settings },
      controlPlane: platform.controlPlane,
      upload: undefined,
      deadline: Number.POSITIVE_INFINITY,
    };

    await expect(startRevision(deployment, applied, { ...context, emit })).rejects.toBe(cancellation);

    expect(platform.requests["/revisions/ours/interrupt"] ?? []).toHaveLength(requests);
    expect(context.recorded.events.some(({ kind }) => kind === "leftover_changed")).toBe(requests === 1);
  },
);
