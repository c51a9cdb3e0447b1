import * as v from "valibot";
import type { Context } from "../context.ts";
import { type Ending, ifReplaced } from "../errors.ts";
import { leftKey, savedText } from "../report/runner/saved-state.ts";
import { parseJson } from "../text/json.ts";
import { type Message, text } from "../text/message.ts";

const ValueSchema = v.object({
  kind: v.picklist(["code", "id", "url", "quote", "input", "place"]),
  raw: v.string(),
  maxLength: v.number(),
});
const LeftSchema = v.object({ title: v.string(), parts: v.array(v.union([v.string(), ValueSchema])) });

/** What a killed step left behind, as sentences, with the title of its deployment. */
interface KilledStep extends Message {
  readonly title: string;
}

/** What the main step saved; undefined if it left nothing behind. */
export function savedLeft(environment: Parameters<typeof savedText>[0]): KilledStep | undefined {
  const parsed = v.safeParse(LeftSchema, parseJson(savedText(environment, leftKey) ?? ""));
  return parsed.success ? parsed.output : undefined;
}

/** Reports in the log and the summary that the main step was killed. */
export async function reportKilledStep({ title, parts }: KilledStep, { report }: Context): Promise<void> {
  report.set({ title });
  const ending: Ending = {
    outcome: "failed",
    label: "the step was killed",
    failure: text`killed`,
    message: text`The step was killed before it could report its result.`,
    details: [{ parts }, text`Likely causes: the run was cancelled, or the runner ran out of memory.`],
    hint: text`${ifReplaced} Otherwise, check the deployment on the platform, and re-run the job.`,
  };
  await report.end(ending);
}
