import { canaries } from "../canaries.ts";
import type { Check } from "./check.ts";

/** Nothing goes to a host that a redirect leads to, or over a connection that isn't trusted. */
const staysAtHome: Check = ({ visitsElsewhere, overBadTls }) => [
  ...(visitsElsewhere > 0 ? [`${visitsElsewhere} connections to another host`] : []),
  ...(overBadTls > 0 ? [`${overBadTls} requests over a connection with a bad certificate`] : []),
];

/** No secret stands in what is printed or written. */
const nothingPrinted: Check = ({ lines, outputs, summary, state }) => {
  const shown = [
    ...lines.map(({ text }) => text),
    ...Object.values(outputs),
    ...Object.values(state),
    summary,
  ].join("\n");
  return Object.entries(canaries)
    .filter(([, value]) => shown.includes(value))
    .map(([name]) => `${name} was printed`);
};

/** Each secret goes only where it belongs: the key to the platform as a header, the token to GitHub as one. */
const secretsStayApart: Check = ({ platform, github }) => {
  const toGitHub = JSON.stringify(github);
  const toPlatform = JSON.stringify(platform);
  const inBodies = JSON.stringify([...platform, ...github].map(({ path, body }) => [path, body]));
  return [
    ...(toPlatform.includes(canaries.token) ? ["the token went to the platform"] : []),
    ...([canaries.apiKey, canaries.secret, canaries.clientSecret].some((value) => toGitHub.includes(value))
      ? ["a secret of the platform's went to GitHub"]
      : []),
    ...([canaries.apiKey, canaries.token].some((value) => inBodies.includes(value))
      ? ["a credential stands in an address or a body"]
      : []),
  ];
};

/** Secrets go only where they belong. */
export const leaks: readonly Check[] = [staysAtHome, nothingPrinted, secretsStayApart];
