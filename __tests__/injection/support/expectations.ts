import { expect } from "@jest/globals";
import { elements, outsideCode } from "../../unit/support/rendered.ts";
import type { Step } from "./step.ts";

const ownCommands = ["add-mask", "endgroup", "error", "group", "notice", "warning"];
const ownGroups =
  /^(Where the defect is|What would be sent to |Totals, the largest first|The end of the (build|deploy) log)/;
const ownState = ["comment_end", "comment_id", "left_running", "record_end", "record_id"];

/** The output holds no command that isn't the action's own, and masks nothing but these. */
export function expectOwnCommands({ log, stdout }: Step, masks: readonly string[] | "any"): void {
  const foreign = log.commands.filter(
    ({ name, effect, properties }) =>
      effect !== "run" ||
      !ownCommands.includes(name) ||
      Object.keys(properties).some((property) => property !== "title"),
  );
  expect(foreign).toEqual([]);
  const masked = log.commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
  if (masks !== "any") expect(masked).toEqual(masks);
  expect(log.groups.filter(({ title, closed }) => !ownGroups.test(title) || !closed)).toEqual([]);
  expect({ refused: log.refused, outputs: log.outputs, state: log.state }).toEqual({
    refused: [],
    outputs: {},
    state: {},
  });
  expect(stdout.replaceAll(/^::add-mask::[^\n]*\n/gm, "")).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{DI}]/u);
}

/** The files hold entries of these names alone, and what the action says in them is true. */
export function expectOwnEntries(step: Step, outputNames: readonly string[]): void {
  const { outputs, state } = step;
  expect([outputs.error, state.error]).toEqual([undefined, undefined]);
  expect(outputs.entries.filter(({ name }) => !outputNames.includes(name))).toEqual([]);
  expect(state.entries.filter(({ name }) => !ownState.includes(name))).toEqual([]);
  expect(outputs.entries.filter(({ name }) => name === "outcome").length).toBeLessThan(2);
}

/** HTML elements that the action's own Markdown makes. */
const ownElements = [
  ..."a blockquote code del em h2 h3 hr li ol p pre strong sub table tbody td th thead tr ul".split(" "),
  "!--",
];

/** Nothing in the Markdown is live but the action's own links and this one. */
export function expectInert(markdown: string, deploymentUrl?: string): void {
  expect(elements(markdown).filter((name) => !ownElements.includes(name))).toEqual([]);
  const url = deploymentUrl && new URL(deploymentUrl).href.replace(/[<>()[\]|`\\]/g, percentEncoded);
  const html = outsideCode(markdown).replace(/<!-- deploy-agent-server preview:[\w%.!~*'()-]* -->/, "");
  const own = [/^https:\/\/github\.com\/octo-org\/octo-repo\/(commit\/[0-9a-f]{40}|actions\/runs\/\d+)$/];
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address = ""]) => decoded(address));
  const foreign = links.filter((address) => !own.some((one) => one.test(address)) && address !== url);
  expect(foreign).toEqual([]);
  const seen = decoded(html.replace(/<[^>]*>/g, " "));
  expect(seen).not.toMatch(/(^|[^\w])@\w/);
  expect(seen).not.toMatch(/(^|[^\w])(#|GH-)\d/i);
  expect(seen).not.toMatch(/\b[0-9a-f]{7,40}\b/i);
  expect(seen).not.toMatch(/:\/\/|www\.|\w@\w/);
  expect(seen).not.toMatch(/<[a-z!/?]/i);
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function decoded(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
