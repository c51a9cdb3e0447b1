import { expect } from "@jest/globals";
import type { LoggedCommand } from "../../support/runner/step-log.ts";
import { elementsIn, outsideCode } from "../../unit/support/rendered.ts";
import { apiKey } from "./hostile-servers.ts";
import type { Step } from "./step.ts";

const words = (text: string) => text.split(" ");

const ownCommands = words("add-mask endgroup error group notice warning");
const ownOutputs = [
  ...words(
    "buckets commit_sha contract_changes created csv_file deleted deployment_id deployment_url duration_seconds json_file kept",
  ),
  ...words("live_revision_id message name platform_url"),
  ...words(
    "outcome previous_revision_id provider revision_id rolled_back_to server_version smoke_tests status stride_days stride_hours total_traces updated_at",
  ),
];
const ownGroups =
  /^(Compared with|Request that|Totals|End of the|Build log|Stack of|What the \w+ (test|check) sent)/;
const ownTitles =
  /^(Input \w+$|Internal error$|(Deploy|Preview|Sweep|Delete|Rollback|Check|Usage|OAuth provider)\b[^\p{Cc}\p{Cf}\p{DI}]*: )/u;
const ownState = words("comment outcome record unfinished");
/** HTML elements that the action's own Markdown makes. */
const ownElements = words(
  "!-- a blockquote code del details em h2 h3 hr li ol p pre strong sub summary table tbody td th thead tr ul",
);
const ownLinks =
  /^https:\/\/github\.com\/(?:octo-org\/octo-repo)?(\/commit\/[0-9a-f]{40}|\/actions\/runs\/\d+)?$/;
const ownComments = /<!-- deploy-agent-server preview:[\w%.!~*'()-]* -->/g;

/** What a step printed and wrote does nothing but what the action means. `masks`: the only values that it masks. */
export function expectHarmless(step: Step, masks: readonly string[] | "any" = [apiKey]): void {
  expectOwnCommands(step, masks);
  expectOwnEntries(step);
  const url = outputsOf(step).deployment_url;
  if (url !== undefined) expect(url).toMatch(/^https?:\/\/[^\s\p{Cc}\p{Cf}\p{DI}]+$/u);
  expect(step.summary).not.toBe("");
  expectInert(step.summary, url);
}

export function outputsOf(step: Step): Record<string, string> {
  return Object.fromEntries(step.outputs.entries.map(({ name, value }) => [name, value]));
}

function expectOwnCommands({ log, stdout }: Step, masks: readonly string[] | "any"): void {
  const foreign = log.commands.filter(
    ({ name, data, effect, properties }) =>
      effect !== "run" ||
      !ownCommands.includes(name) ||
      data.startsWith("owned") ||
      !isOwnTitle(name, properties),
  );
  expect(foreign).toEqual([]);
  const masked = log.commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
  if (masks !== "any") expect(masked).toEqual(masks);
  expect(log.groups.filter(({ title, closed }) => !ownGroups.test(title) || !closed)).toEqual([]);
  expect([log.refused, log.outputs, log.state]).toEqual([[], {}, {}]);
  expect(stdout.replaceAll(/^::add-mask::[^\n]*\n/gm, "")).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{DI}]/u);
}

/** An error has a title that this action begins, and no other command has a property. */
function isOwnTitle(command: string, properties: LoggedCommand["properties"]): boolean {
  if (command !== "error") return Object.keys(properties).length === 0;
  const { title = "", ...others } = properties;
  return ownTitles.test(title) && title.length <= 200 && Object.keys(others).length === 0;
}

/** The runner's files can be read, and hold entries of known names only. */
function expectOwnEntries({ outputs, state }: Step): void {
  expect([outputs.error, state.error]).toEqual([undefined, undefined]);
  expect(outputs.entries.filter(({ name }) => !ownOutputs.includes(name))).toEqual([]);
  expect(state.entries.filter(({ name }) => !ownState.includes(name))).toEqual([]);
  expect(outputs.entries.filter(({ name }) => name === "outcome").length).toBeLessThan(2);
}

/** Nothing in the Markdown is live but the action's own links and this one. */
export function expectInert(markdown: string, deploymentUrl?: string): void {
  const url = deploymentUrl && new URL(deploymentUrl).href.replace(/[<>()[\]|`\\]/g, percentEncoded);
  const shownHtml = outsideCode(markdown);
  expect(elementsIn(shownHtml).filter((name) => !ownElements.includes(name))).toEqual([]);
  const html = shownHtml.replace(ownComments, "");
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address = ""]) => decoded(address));
  expect(links.filter((address) => !ownLinks.test(address) && address !== url)).toEqual([]);
  const shown = decoded(html.replace(/<[^>]*>/g, " "));
  expect(shown).not.toMatch(/(^|[^\w])@\w/);
  expect(shown).not.toMatch(/(^|[^\w])(#|GH-)\d/i);
  expect(shown).not.toMatch(/\b[0-9a-f]{7,40}\b/i);
  expect(shown).not.toMatch(/:\/\/|www\.|\w@\w/);
  expect(shown).not.toMatch(/<[a-z!/?]/i);
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
