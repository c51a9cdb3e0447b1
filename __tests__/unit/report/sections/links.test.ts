import { expect, test } from "@jest/globals";
import type { RunFacts } from "../../../../src/report/facts.ts";
import { consoleCell } from "../../../../src/report/sections/links.ts";
import { factsWith, plainRenderer } from "../support/facts.ts";

const consoleLinks = { url: "https://eu.smith.langchain.com", workspaceId: "w-1" };
const known = { consoleLinks, deploymentId: "d-1" };
const page = "[deployment](<https://eu.smith.langchain.com/o/w-1/host/deployments/d-1>)";

test.each<[string, Partial<RunFacts>, boolean, string | undefined]>([
  ["the deployment's page in the workspace of the input", {}, true, page],
  [
    "its page in the workspace that the platform names",
    { tenantId: "t-1" },
    true,
    page.replace("w-1", "t-1"),
  ],
  [
    "its page and Studio if it is live",
    { url: "https://agent.example/a?b=c&d" },
    true,
    `${page}, [Studio](<https://eu.smith.langchain.com/studio/?baseUrl=https%3A%2F%2Fagent.example%2Fa%3Fb%3Dc%26d>)`,
  ],
  ["no Studio if it is not live", { url: "https://agent.example/" }, false, page],
  ["no Studio if a secret was taken out of its URL", { url: "https://***.example/" }, true, page],
  ["nothing on a host whose pages are not known", { consoleLinks: undefined }, true, undefined],
  ["nothing as long as its id is not known", { deploymentId: undefined }, true, undefined],
  ["nothing if a secret was taken out of its id", { deploymentId: "d-***" }, true, undefined],
  ["nothing if its workspace would lead elsewhere", { tenantId: ".." }, true, undefined],
])("the links show %s", (_what, facts, isLive, links) => {
  expect(consoleCell(factsWith({ ...known, ...facts }), isLive, plainRenderer)).toBe(links);
});
