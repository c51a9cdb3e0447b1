/** The width of a line that fits into every terminal. */
export const maxColumns = 80;

/** Cuts a line into lines that fit, at a space if there is one. Those after the first are indented two deeper than it. */
export function wrap(line: string, columns: number): string[] {
  const indent = `${/^ */.exec(line)?.[0] ?? ""}  `;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const space = rest.lastIndexOf(" ", columns);
    const end = space > indent.length ? space : columns;
    lines.push(rest.slice(0, end).trimEnd());
    rest = indent + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
