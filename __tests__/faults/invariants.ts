/** What has to be true of every run, whatever goes wrong. Each check returns what is wrong. */
import { claims, outputs } from "./claims.ts";
import {
  type Check,
  isDeploymentWrite,
  isRedeploy,
  isRefusal,
  isUpload,
  newDeployments,
  newRevisions,
  type Observation,
} from "./observation.ts";
import { canaries } from "./test-bed.ts";

/** What is wrong with a run, except for how it ended. */
export function problemsOf(run: Observation): readonly string[] {
  return checks.flatMap((check) => check(run));
}

/**
 * On the platform itself, at most one deployment and one revision. A deployment that is found after a lost create is updated,
 * because another run may have created it.
 */
const nothingTwice: Check = (run) => {
  const deployments = newDeployments(run).length;
  const revisions = newRevisions(run).length - run.otherRevisions;
  return [
    ...(deployments > 1 ? [`${deployments} deployments were created`] : []),
    ...(revisions > (isUpdatedAfterCreate(run) ? 2 : 1) ? [`${revisions} revisions were created`] : []),
  ];
};

function isUpdatedAfterCreate({ platform }: Observation): boolean {
  const methods = new Set(platform.filter(isDeploymentWrite).map(({ method }) => method));
  return methods.has("POST") && methods.has("PATCH");
}

/**
 * A create or an update is sent again only if the one before certainly had no effect. The update of what a create made or
 * found is none of the create.
 */
const noBlindRetries: Check = ({ platform }) =>
  [isDeploymentWrite, isRedeploy].flatMap((isWrite) => {
    const parts = [platform.slice(0, lastUpload(platform)), platform.slice(lastUpload(platform))];
    return parts.flatMap((part) => blindRetries(part.filter(isWrite)));
  });

/** The index after the last upload; 0 without one. */
function lastUpload(platform: Observation["platform"]): number {
  return platform.findLastIndex(isUpload) + 1;
}

function blindRetries(sent: Observation["platform"]): string[] {
  const writes = sent.filter(({ response }) => !isRefusal(response));
  const most = Math.max(
    ...["POST", "PATCH"].map((method) => writes.filter((one) => one.method === method).length),
  );
  return most > 1 ? [`${most} writes were sent that may each have taken effect`] : [];
}

/** Nothing goes to a host that a redirect leads to, or over a connection that is not trusted. */
const noOtherHost: Check = ({ visitsToOtherHost, overBadTls }) => [
  ...(visitsToOtherHost > 0 ? [`${visitsToOtherHost} connections to another host`] : []),
  ...(overBadTls > 0 ? [`${overBadTls} requests over a connection with a bad certificate`] : []),
];

/** No secret is in what is printed or written. */
const nothingPrinted: Check = ({ lines, outputs: written, summary, state, platform }) => {
  const texts = [...lines.map(({ text }) => text), ...Object.values({ ...written, ...state }), summary];
  return Object.entries({ ...canaries, ...uploadTokens(platform) })
    .filter(([, value]) => texts.some((text) => text.includes(value)))
    .map(([name]) => `${name} was printed`);
};

/** What makes upload addresses credentials, as far as a run got to see them. */
function uploadTokens(platform: Observation["platform"]): Record<string, string> {
  const shown = platform.flatMap(({ response }) => [
    ...(response?.text ?? "").matchAll(/"upload_url":"[^"]*token=([^"]+)"/g),
  ]);
  return Object.fromEntries(shown.map(([, token = ""], index) => [`upload address ${index + 1}`, token]));
}

/** The key goes only to the platform and the token only to GitHub, each as a header. */
const secretsStayApart: Check = ({ platform, github }) => {
  const { apiKey, secret, clientSecret, token } = canaries;
  const [toPlatform, toGitHub] = [JSON.stringify(platform), JSON.stringify(github)];
  const bodies = JSON.stringify([...platform, ...github].map(({ path, body }) => [path, body]));
  const withKey = platform.filter(isUpload).some(({ headers }) => "x-api-key" in headers);
  return [
    ...(withKey ? ["the key went to the store for archives"] : []),
    ...(toPlatform.includes(token) ? ["the token went to the platform"] : []),
    ...([apiKey, secret, clientSecret].some((value) => toGitHub.includes(value))
      ? ["a secret of the platform went to GitHub"]
      : []),
    ...([apiKey, token].some((value) => bodies.includes(value))
      ? ["a credential is in an address or a body"]
      : []),
  ];
};

const minuteMs = 60_000;
/** More than any of these runs needs. */
const maxRequests = 250;

/**
 * A run ends within `timeout_seconds` after its write, or within the minute in which the effect of the write is searched
 * for. It writes within `timeout_seconds` after its start. A rollback has as much time again, a deletion two minutes, and
 * GitHub may delay each of its requests by a minute.
 */
const endsInTime: Check = ({ startedAt, endedAt, timeoutMs, platform, github }) => {
  const throttled = github.filter(({ response }) => response?.status === 429).length;
  const limitMs = Math.max(timeoutMs, minuteMs) + throttled * minuteMs + github.length * 1000;
  const deletionMs = platform.some(({ method }) => method === "DELETE") ? 2 * minuteMs : 0;
  const rollbackMs = platform.some(isRedeploy) ? timeoutMs + minuteMs : 0;
  const write = platform.find(isDeploymentWrite) ?? platform.find(isRedeploy);
  const writtenAt = write?.at ?? endedAt;
  const [beforeMs, afterMs] = [writtenAt - startedAt, endedAt - writtenAt];
  return [
    ...(beforeMs > limitMs + deletionMs ? [`took ${beforeMs / 1000} s before any write`] : []),
    ...(afterMs > limitMs + minuteMs + deletionMs + rollbackMs
      ? [`took ${afterMs / 1000} s after the write`]
      : []),
  ];
};

const fewRequests: Check = ({ platform, github }) =>
  platform.length + github.length > maxRequests ? [`${platform.length + github.length} requests`] : [];

const checks: readonly Check[] = [
  ...claims,
  ...outputs,
  nothingTwice,
  noBlindRetries,
  noOtherHost,
  nothingPrinted,
  secretsStayApart,
  endsInTime,
  fewRequests,
];
