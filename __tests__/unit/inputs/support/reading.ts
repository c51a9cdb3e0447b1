import { expect } from "@jest/globals";
import { Failure } from "../../../../src/errors.ts";
import { readControlPlane } from "../../../../src/inputs/read-control-plane.ts";
import { readDeployInputs } from "../../../../src/inputs/read-deploy-inputs.ts";
import { InputReader } from "../../../../src/inputs/reader.ts";
import type { Platform } from "../../../../src/platform/platform.ts";
import type { Message } from "../../../../src/text/message.ts";
import { recordingContext } from "../../../support/recording-context.ts";

export type Texts = Readonly<Record<string, string>>;

/** What one of the functions that read inputs made of them. */
export interface Reading<Result> {
  readonly result: Result;
  /** The sentences that users see, in order. */
  readonly problems: readonly string[];
  /** Notices and warnings, in order. */
  readonly notes: readonly { readonly kind: string; readonly text: string }[];
}

/** Inputs by their names, as the runner passes them. */
export function environmentOf(inputs: Texts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
}

/** Reads the inputs of a deploy as its action does. `platform`: by default, that of the inputs. */
export function readDeploy(reader: InputReader, platform?: Platform) {
  const settings = readControlPlane(reader);
  return readDeployInputs(reader, { ...settings, platform: platform ?? settings.platform }, "fail");
}

export function reading<Result>(inputs: Texts, read: (reader: InputReader) => Result): Reading<Result> {
  const { report, recorded } = recordingContext({});
  const reader = new InputReader(environmentOf(inputs));
  const result = read(reader);
  return { result, problems: problemsOf(() => reader.finish(report)), notes: recorded.lines };
}

function problemsOf(finish: () => void): readonly string[] {
  const failure = failureOf(finish);
  if (failure === undefined) return [];
  const { message, problems } = failure.ending;
  return (problems.length > 0 ? problems : [{ message }]).map((problem) => plain(problem.message));
}

function failureOf(finish: () => void): Failure | undefined {
  try {
    finish();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** The hint of the error for what is wrong with these inputs. */
export function hintOf(inputs: Texts, read: (reader: InputReader) => unknown): string | undefined {
  const reader = new InputReader(environmentOf(inputs));
  read(reader);
  const failure = failureOf(() => reader.finish(recordingContext({}).report));
  return failure && plain(failure.ending.hint);
}

/** A message as users see it. */
export function plain(message: Message): string {
  return recordingContext({}).report.render.plain(message);
}

/** Matches the sentence about a problem with an input that names these facts, in order. */
export function problem(input: string, ...facts: readonly string[]): unknown {
  const escaped = facts.map((fact) => fact.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^Input ${input} .*${escaped.join(".*")}.*\\.$`, "s"));
}
