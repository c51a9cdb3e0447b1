import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const annotations: Readonly<Record<string, readonly [label: string, style: Style]>> = {
  error: ["Error: ", "red"],
  warning: ["Warning: ", "yellow"],
  notice: ["Notice: ", "blue"],
  debug: ["", "magenta"],
};

/**
 * A step's log as GitHub's page shows it: groups unfolded with their lines indented, annotations with their label. `lines`:
 * as the runner writes them, where `##[name]` marks the result of a command.
 */
export function visibleLog(lines: readonly string[]): string[] {
  let indent = "";
  return lines.flatMap((line) => {
    const [, marker = "", text = ""] = /^##\[(\w+)\](.*)$/s.exec(line) ?? [];
    if (marker === "group") {
      indent = "  ";
      return [`▼ ${styleText("bold", text)}`];
    }
    if (marker === "endgroup") {
      indent = "";
      return [];
    }
    const annotation = annotations[marker];
    return [indent + (annotation === undefined ? line : styleText(annotation[1], annotation[0] + text))];
  });
}
