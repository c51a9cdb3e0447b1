import { expect, test } from "@jest/globals";
import type { RunFacts } from "../../../../src/report/facts.ts";
import { outputsWriter } from "../../../../src/report/writers/outputs.ts";
import { text } from "../../../../src/text/message.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { factsWith } from "../support/facts.ts";

function writerOf() {
  const context = recordingContext({});
  const { onChange, onEnd } = outputsWriter(context);
  return {
    outputs: context.recorded.outputs,
    onFact: (facts: RunFacts) => onChange?.(facts),
    onEnd: (facts: RunFacts, outcome: "deployed" | "deleted") =>
      onEnd?.(facts, { outcome, message: text`Done.` }),
  };
}

test("platform_url is written as soon as the deployment is known, and emptied when it was deleted", async () => {
  const consoleLinks = { url: "https://smith.langchain.com", workspaceId: "w-1" };
  const { outputs, onFact, onEnd } = writerOf();

  onFact(factsWith({ consoleLinks }));
  expect(outputs).not.toHaveProperty("platform_url");
  const facts = factsWith({ consoleLinks, deploymentId: "d-1", tenantId: "t-1" });
  onFact(facts);
  expect(outputs.platform_url).toBe("https://smith.langchain.com/o/t-1/host/deployments/d-1");
  await onEnd(facts, "deleted");
  expect(outputs.platform_url).toBe("");
});

test("commit_sha is the checked-out commit of an upload, before anything is sent", () => {
  const { outputs, onFact } = writerOf();
  const sourceCommit = { sha: "c".repeat(40), hasLocalChanges: false, isOfThisRepository: true };

  onFact(factsWith({ sourceCommit }));

  expect(outputs).toEqual({ commit_sha: sourceCommit.sha });
});

test("contract_changes stays below a megabyte, and says how many changes it leaves out", async () => {
  const { outputs, onEnd } = writerOf();
  const long = "x".repeat(10_000);
  const change = {
    graph: long,
    kind: "node_gone",
    node: long,
    wasShown: true,
    threads: [],
    breaking: true,
  } as const;
  const result = {
    kind: "compared",
    changes: Array.from({ length: 5000 }, () => change),
    threads: { read: 0, total: 0 },
  } as const;

  await onEnd(
    factsWith({ comparison: { target: "my-agent", isGate: true, url: undefined, result } }),
    "deployed",
  );

  const output = outputs.contract_changes ?? "";
  expect(Buffer.byteLength(output)).toBeLessThan(1_000_000);
  const parsed: unknown[] = JSON.parse(output);
  expect(parsed.at(-1)).toMatchObject({
    kind: "not compared",
    message: `${5000 - (parsed.length - 1)} more changes are not shown.`,
  });
});
