/**
 * The cells of every line, with the header. A strict reader of RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180):
 * @throws {Error} where a lenient one would guess
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = text;
  while (rest !== "") {
    const [whole, quoted, plain, end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`not CSV: ${rest.slice(0, 60)}`);
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
    rest = rest.slice(whole.length);
  }
  if (row.length > 0) throw new Error("the last line has no end");
  return rows;
}
