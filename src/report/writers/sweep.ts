import type { WriterContext } from "../report.ts";
import { resultLabel } from "../result.ts";
import { heading, joinSections, resultMarkdown } from "../sections/result.ts";
import { sweptTable } from "../sections/sweep.ts";
import { ofKind, type SweptKind } from "../sentences/sweep.ts";
import type { Writer } from "../writer.ts";

/** Writes the outputs and the summary of a sweep, however it ends. */
export function sweepWriter({ report: { render }, files }: WriterContext): Writer {
  return {
    onEnd({ swept }, result) {
      const names = (...kinds: readonly SweptKind[]) =>
        JSON.stringify(ofKind(swept, ...kinds).map(({ name }) => render.value(name)));
      files.setOutput("deleted", names("deleted", "would_be_deleted"));
      files.setOutput("kept", names("kept", "renamed", "unproven"));
      files.setOutput("outcome", result.outcome);
      files.appendSummary(
        joinSections([
          heading("Sweep of previews", result.outcome, resultLabel(result)),
          resultMarkdown(result, render),
          sweptTable(swept, render),
        ]),
      );
    },
  };
}
