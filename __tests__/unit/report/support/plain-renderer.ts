import { Renderer } from "../../../../src/report/renderer.ts";

/** A renderer that knows no secrets. */
export const plainRenderer = new Renderer({
  text: (text) => text,
  value: (text) => text,
  lines: (lines) => ({ lines, unfinishedFrom: lines.length }),
});
