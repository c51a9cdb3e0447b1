import * as v from "valibot";
import type { Ending } from "../../errors.ts";
import { ifReplaced } from "../../errors.ts";
import { parseJson } from "../../text/json.ts";
import { code, type Message, text } from "../../text/message.ts";
import type { WriterContext } from "../report.ts";
import { savedText, unfinishedWorkKey } from "../runner/saved-state.ts";
import { deploymentSubject, heading, joinSections, resultMarkdown } from "../sections/result.ts";
import { factTable } from "../sections/tables.ts";
import { describeUnfinishedWork } from "../sentences/unfinished-work.ts";
import type { Writer } from "../writer.ts";
import { logResult } from "./log.ts";
import { idRows } from "./summary.ts";

/** Keeps what the run would leave behind if it were killed now, for the `post:` step to report. */
export function killedStepWriter({ report, files }: WriterContext): Writer {
  let kept = "";
  const keep = (work: string) => {
    if (work !== kept) files.saveState(unfinishedWorkKey, work);
    kept = work;
  };
  return {
    onChange(facts) {
      const work = describeUnfinishedWork(facts);
      const title = report.render.plain(text`${code(facts.title)}`);
      const table = factTable(idRows(facts, "failed", report.render));
      keep(work === undefined ? "" : JSON.stringify({ title, table, ...report.render.kept(work) }));
    },
    onEnd: () => keep(""),
  };
}

const ValueSchema = v.object({
  kind: v.picklist(["code", "id", "url", "quote", "input", "place"]),
  raw: v.string(),
  maxLength: v.number(),
});
const UnfinishedWorkSchema = v.object({
  title: v.string(),
  table: v.string(),
  parts: v.array(v.union([v.string(), ValueSchema])),
});

/** What a killed step left behind, as sentences, the title of its deployment, and the IDs as a Markdown table. */
interface KilledStep extends Message {
  readonly title: string;
  readonly table: string;
}

/** What the main step kept; undefined if it left nothing behind. */
export function savedUnfinishedWork(environment: Parameters<typeof savedText>[0]): KilledStep | undefined {
  const saved = savedText(environment, unfinishedWorkKey);
  const parsed = v.safeParse(UnfinishedWorkSchema, parseJson(saved ?? ""));
  return parsed.success ? parsed.output : undefined;
}

const killedReason = text`Likely causes: the run was cancelled, or the runner ran out of memory.`;

/** Reports in the log and the summary that the main step was killed. */
export function reportKilledStep(
  { title, table, parts }: KilledStep,
  { report, files }: WriterContext,
): void {
  report.setFacts({ title });
  const result: Ending = {
    outcome: "failed",
    failure: text`killed`,
    message: text`The step was killed before it could report its result.`,
    details: [{ parts }, killedReason],
    hint: text`${ifReplaced} Otherwise, check the deployment on the platform, and re-run the job.`,
  };
  logResult(result, report);
  const subject = deploymentSubject(report.facts, report.render);
  const killed = heading(subject, result.outcome, "the step was killed");
  files.appendSummary(joinSections([killed, resultMarkdown(result, report.render), table]));
}
