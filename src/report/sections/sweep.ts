import type { SweptPreview } from "../../results/deletion.ts";
import { code, text } from "../../text/message.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import { describeSwept, ofKind, type SweptKind } from "../sentences/sweep.ts";
import { markdownTable } from "./tables.ts";

/** The log has nine annotations of a kind (runner/log.ts). One is left for how the sweep ends. */
const maxAnnotations = 8;

/** Logs what became of a preview. `before`: the previews before it. */
export function logSwept(preview: SweptPreview, before: readonly SweptPreview[], log: MessageLog): void {
  const name = code(preview.name);
  if (preview.kind === "gone") {
    log.notice(text`${name} no longer exists, so nothing was deleted.`);
  } else if (preview.kind === "renamed") {
    log.warning(text`${name} was left alone: ${describeSwept(preview)}.`);
  } else if (preview.kind === "unproven") {
    log.warning(text`${name} was left alone: ${describeSwept(preview)} (Its record: ${preview.recordId}.)`);
  } else if (preview.kind === "failed") {
    const message = text`${name}: ${describeSwept(preview)}`;
    if (ofKind(before, "failed").length < maxAnnotations) {
      log.error(message, { title: text`Sweep ${name}: failed` });
    } else {
      log.info(message);
    }
  }
}

/** A table of the previews as Markdown; empty if there are none. */
export function sweptTable(swept: readonly SweptPreview[], render: Renderer): string {
  const rows = ofKind(swept, ...order).map((preview) => [
    render.idCell(preview.name),
    labels[preview.kind],
    render.cell(describeSwept(preview)),
  ]);
  return rows.length === 0 ? "" : markdownTable(["Preview", "Result", "Reason"], rows);
}

/** What needs attention comes first. */
const order: readonly SweptKind[] = [
  "failed",
  "unconfirmed",
  "deleted",
  "would_be_deleted",
  "gone",
  "unproven",
  "renamed",
  "kept",
];

const labels: Readonly<Record<SweptKind, string>> = {
  failed: "❌ failed",
  unconfirmed: "❌ deletion not confirmed",
  deleted: "deleted",
  would_be_deleted: "would be deleted",
  gone: "already deleted",
  unproven: "kept",
  renamed: "kept",
  kept: "kept",
};
