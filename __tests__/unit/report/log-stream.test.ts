import { expect, test } from "@jest/globals";
import { Report } from "../../../src/report/report.ts";
import { text } from "../../../src/text/message.ts";
import { createRunRedactor } from "../../../src/text/redact.ts";
import { recordingContext } from "../../support/recording-context.ts";

test("the rest of a secret that an earlier page began is redacted, and no line is printed twice", () => {
  const { recorded, ...context } = recordingContext({});
  const redact = createRunRedactor({ credentials: ["s3cr3t-of-more-than-a-few-letters"], values: [] }, []);
  const stream = new Report({ ...context, action: "Deploy", redact }).stream(text`Build log`);

  for (const line of ["KEY=s3cr3t-of-", "more-than-a-", "few-letters b"])
    stream.add([{ label: "", text: line }]);

  const printed = recorded.lines.filter(({ kind }) => kind === "info").map((line) => line.text);
  expect(printed).toEqual(["KEY=s3cr3t-of-", "more-than-a-", "*** b"]);
});
