import { styleText } from "node:util";
import { wrap } from "./wrap.ts";

type Style = Parameters<typeof styleText>[0];

const annotations: Readonly<Record<string, readonly [label: string, style: Style]>> = {
  error: ["Error: ", "red"],
  warning: ["Warning: ", "yellow"],
  notice: ["Notice: ", "blue"],
  debug: ["", "magenta"],
};

/**
 * A step's log as GitHub's page shows it: groups unfolded with their lines indented, annotations with their label, long
 * lines wrapped. `lines`: as the runner writes them, where `##[name]` marks the result of a command.
 */
export function visibleLog(lines: readonly string[], columns: number): string[] {
  let indent = "";
  return lines.flatMap((line) => {
    const [, marker = "", text = ""] = /^##\[(\w+)\](.*)$/s.exec(line) ?? [];
    if (marker === "group") {
      indent = "  ";
      return wrap(`▼ ${text}`, columns).map((part) => styleText("bold", part));
    }
    if (marker === "endgroup") {
      indent = "";
      return [];
    }
    const annotation = annotations[marker];
    if (annotation === undefined) return wrap(indent + line, columns);
    const [label, style] = annotation;
    return wrap(indent + label + text, columns).map((part) => styleText(style, part));
  });
}
