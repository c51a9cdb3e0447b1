// Configuration files, archives and output that a repository may bring along.
import { createWriteStream } from "node:fs";
import { mkdir, readdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { expect, test } from "@jest/globals";
import type { TarHeader } from "modern-tar";
import { type PackOptionsFS, packTar, type TarSource } from "modern-tar/fs";
import { unpackArchive } from "../../runner/archive-source.ts";
import { startCommand } from "../../runner/commands.ts";
import { readConfiguration } from "../../runner/configuration-file.ts";
import { OutputLog } from "../../runner/output-log.ts";
import { redactorFor } from "../../runner/redact.ts";
import type { LogLine } from "../../store/revision-logs.ts";
import { withTemporaryFolder } from "../support/emulator.ts";

test("a configuration file outside of the checkout, behind a link, too large or without a JSON object is refused", () =>
  withTemporaryFolder(async (folder) => {
    const checkout = join(folder, "checkout");
    await mkdir(join(checkout, "app"), { recursive: true });
    await writeFile(join(folder, "outside.json"), "{}");
    await writeFile(join(checkout, "app", "agent.json"), "{}");
    await writeFile(join(checkout, "text.json"), "no JSON");
    await writeFile(join(checkout, "mark.json"), "\uFEFF{}");
    await writeFile(join(checkout, "list.json"), "[]");
    await writeFile(join(checkout, "graphs.json"), '{ "graphs": 1 }');
    await writeFile(join(checkout, "huge.json"), "{}");
    await truncate(join(checkout, "huge.json"), 2 * 2 ** 30);
    await symlink("../outside.json", join(checkout, "link.json"));
    await symlink("..", join(checkout, "up"));

    const reasons = new Map([
      ["../outside.json", "leaves the repository"],
      ["app/../../outside.json", "leaves the repository"],
      [join(checkout, "app", "agent.json"), "leaves the repository"],
      [".", "leaves the repository"],
      ["link.json", "through a link"],
      ["up/outside.json", "through a link"],
      ["missing.json", "is missing"],
      ["app", "is not a file"],
      ["app/agent.json/deeper", "is not a file"],
      ["text.json", "is not JSON"],
      ["mark.json", "is not JSON"],
      ["list.json", "is not a JSON object"],
      ["graphs.json", "graphs is not an object"],
      ["huge.json", "larger than 1 MiB"],
    ]);
    for (const [path, reason] of reasons)
      await expect(readConfiguration(checkout, path)).rejects.toThrow(reason);
    expect(await readConfiguration(checkout, "./app/agent.json")).toMatchObject({
      folder: join(checkout, "app"),
    });
  }));

test("the start depends on the configuration file", () =>
  withTemporaryFolder(async (folder) => {
    const programs = [];
    const contents = [{}, { graphs: { a: "./a.ts:graph" } }, { graphs: { a: { path: "./a.py:graph" } } }];
    for (const content of [...contents, { graphs: {}, node_version: "24" }]) {
      await writeFile(join(folder, "agent.json"), JSON.stringify(content));
      const configuration = await readConfiguration(folder, "agent.json");
      programs.push(startCommand(configuration, 8000, undefined)[0]);
      expect(startCommand(configuration, 8000, "own").at(-1)).toBe("own");
    }
    expect(programs).toEqual(["npm", "npx", "langgraph", "npx"]);
  }));

/** Writes an archive of these entries and unpacks it; returns the names of what is unpacked. */
async function unpack(folder: string, entries: TarSource[], options?: PackOptionsFS): Promise<string[]> {
  const [file, target] = [join(folder, "archive.tar.gz"), join(folder, "unpacked", "inner")];
  await mkdir(target, { recursive: true });
  await pipeline(packTar(entries, options), createGzip(), createWriteStream(file));
  await unpackArchive(file, target, new AbortController().signal, 2);
  return await readdir(target);
}

test("an archive with a link, with a path outside of its folder or larger than allowed is refused", () =>
  withTemporaryFolder(async (folder) => {
    const file: TarSource = { type: "content", target: "a", content: "{}" };
    const named = (name: string) => ({ map: (header: TarHeader) => ({ ...header, name }) });
    const link: TarHeader = { name: "a", size: 0, type: "symlink", linkname: "/etc" };

    await expect(unpack(folder, [file], named("../outside.json"))).rejects.toThrow("outside of its folder");
    await expect(unpack(folder, [file], named("/outside.json"))).rejects.toThrow("outside of its folder");
    await expect(unpack(folder, [{ ...file, content: "" }], { map: () => link })).rejects.toThrow(
      "has a symlink",
    );
    const large = { ...file, content: new Uint8Array(2_100_000) };
    await expect(unpack(folder, [large])).rejects.toThrow("larger than 2 MB");
    expect(await readdir(join(folder, "unpacked"))).toEqual(["inner"]);
  }));

test("an archive is unpacked with its folders", () =>
  withTemporaryFolder(async (folder) => {
    const entries: TarSource[] = [
      { type: "content", target: "langgraph.json", content: "{}" },
      { type: "content", target: "src/agent.ts", content: "" },
    ];

    expect((await unpack(folder, entries)).toSorted()).toEqual(["langgraph.json", "src"]);
  }));

/** The lines that a log gets of these chunks. */
function linesOf(secrets: string[], ...chunks: string[]): string[] {
  const lines: LogLine[] = [];
  const log = new OutputLog({
    append: (added) => lines.push(...added),
    redact: redactorFor(secrets),
    now: () => 0,
  });
  for (const chunk of chunks) log.write("stdout", Buffer.from(chunk));
  log.end();
  return lines.map(({ message }) => message);
}

test("secrets are taken out of the log, each line of one that has several, also across chunks and at the cut", () => {
  const long = `${"x".repeat(4090)}the-secret-value`;

  expect(linesOf(["the-secret-value"], "a the-secr", "et-value b\nlast")).toEqual(["a *** b", "last"]);
  expect(linesOf(["one line\nother line"], "other line, one line\n")).toEqual(["***, ***"]);
  expect(linesOf(["the-secret-value"], `${long}\n`)).toEqual([`${"x".repeat(4090)}***`]);
  expect(linesOf(["abc", "true"], "abc\n")).toEqual(["abc"]);
});

const SECRET = 'sk-ö"1 /2?+&';

// Next to the secret, a character of Base64 may also depend on what stands there, and is left.
test.each([
  ["Base64", Buffer.from(SECRET).toString("base64"), /^\*\*\*.==$/],
  ["Base64 for URLs", Buffer.from(SECRET).toString("base64url"), /^\*\*\*.$/],
  ["the Base64 of credentials", Buffer.from(`ada:${SECRET}`).toString("base64"), /^YWRhO.\*\*\*.=$/],
  ["the Base64 of a longer text", Buffer.from(`{"a":${SECRET}}`).toString("base64"), /^eyJhIjp\*\*\*fQ==$/],
  ["hexadecimal", Buffer.from(SECRET).toString("hex"), /^\*\*\*$/],
  ["hexadecimal in capitals", Buffer.from(SECRET).toString("hex").toUpperCase(), /^\*\*\*$/],
  ["a URI", encodeURIComponent(SECRET), /^\*\*\*$/],
  [
    "a URI with small letters",
    encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
    /^\*\*\*$/,
  ],
  ["a form", new URLSearchParams({ key: SECRET }).toString(), /^key=\*\*\*$/],
  ["JSON", JSON.stringify({ key: SECRET }), /^\{"key":"\*\*\*"\}$/],
])("a secret is taken out of the log in the form of %s", (_form, text, redacted) => {
  const [line = ""] = linesOf([SECRET], `${text}\n`);

  expect(line).toMatch(redacted);
});

test("a line is cut, a progress bar shows its last state, and the last 10,000 lines are kept", () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `line ${index}\n`).join("");

  expect(linesOf([], "y".repeat(5000))).toEqual(["y".repeat(4096)]);
  expect(linesOf([], "10 %\r50 %\r100 %\r\n")).toEqual(["100 %"]);
  expect(linesOf([], many).slice(0, 1)).toEqual(["line 20000"]);
  expect(linesOf([], many)).toHaveLength(10_000);
});
