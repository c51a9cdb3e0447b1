/**
 * What has to hold of every run, whatever went wrong: the run's word against the platform's own state, against what
 * its proxy let through, and against where its secrets went. Each check answers with what is wrong, if anything.
 */
import * as v from "valibot";
import { DeploymentSchema, RevisionSchema } from "../../src/control-plane/schemas.ts";
import { canaries } from "./canaries.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import { newDeployments, newRevisions, type Observation } from "./observation.ts";

export type Kind = "truth" | "duplicate" | "leak" | "bounds" | "outputs";

export interface Problem {
  readonly kind: Kind;
  readonly text: string;
}

type Check = (run: Observation) => readonly string[];

/** Everything that is wrong with a run. */
export function problemsOf(run: Observation): readonly Problem[] {
  return Object.entries(checks).flatMap(([kind, ofKind]) =>
    ofKind.flatMap((check) => check(run).map((text) => ({ kind: asKind(kind), text }))),
  );
}

function asKind(name: string): Kind {
  return v.parse(v.picklist(["truth", "duplicate", "leak", "bounds", "outputs"]), name);
}

const successes = ["deployed", "started", "planned", "deleted", "skipped", "done"];

/** Exit code and outcome say the same. */
const exitCode: Check = ({ succeeded, ending }) =>
  succeeded === successes.includes(ending)
    ? []
    : [`ended as ${ending}, but the step ${succeeded ? "succeeds" : "fails"}`];

/** A failure is told, once at least, with what to do next. */
const failureIsTold: Check = ({ succeeded, lines }) => {
  if (succeeded) return [];
  const errors = lines.filter(({ kind, text }) => kind === "error" && text.length > 40);
  const defect = lines.find(({ text }) => text.includes("defect"));
  return [
    ...(errors.length === 0 ? ["failed without an error annotation that says why"] : []),
    ...(defect === undefined ? [] : [`told as a defect: ${defect.text}`]),
  ];
};

/** `deployed` only where this run's revision was shown to it as `DEPLOYED`, and is so on the platform. */
const deployedIsTrue: Check = (run) => {
  if (run.ending !== "deployed") return [];
  const { revision_id: id = "", deployment_id: deploymentId = "" } = run.outputs;
  const held = run.after.find((one) => one.id === deploymentId)?.revisions.find((one) => one.id === id);
  const shown = run.platform.some(
    (request) => request.path.endsWith(`/revisions/${id}`) && statusIn(request) === "DEPLOYED",
  );
  return [
    ...(held?.status === "DEPLOYED"
      ? []
      : [`deployed, but on the platform revision ${id} is ${held?.status ?? "unknown"}`]),
    ...(shown ? [] : [`deployed, but revision ${id} was never shown as DEPLOYED`]),
  ];
};

function statusIn({ answer }: ProxiedRequest): string | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), RevisionSchema), answer?.text);
  return parsed.success ? parsed.output.status : undefined;
}

/** `deleted` only where it is gone, or where the API itself said so. */
const deletedIsTrue: Check = (run) => {
  if (run.ending !== "deleted" || run.action === "sweep") return [];
  const left = run.after.filter(({ status }) => status !== "AWAITING_DELETE");
  const saidGone = run.platform.some(({ answer }) => answer?.status === 404 && answer.text.startsWith("{"));
  return left.length === 0 || saidGone ? [] : ["deleted, but the deployment is still there"];
};

/** What a sweep says it deleted is gone, or the API itself said so; the preview of the open pull request stays. */
const sweptIsTrue: Check = (run) => {
  if (run.action !== "sweep") return [];
  const names = run.after.map(({ name }) => name);
  const deleted = v.parse(v.pipe(v.string(), v.parseJson(), v.array(v.string())), run.outputs.deleted);
  const saidGone = run.platform.some(({ answer }) => answer?.status === 404 && answer.text.startsWith("{"));
  return [
    ...(names.includes("octo-repo-pr-8") ? [] : ["the preview of an open pull request was deleted"]),
    ...(saidGone
      ? []
      : deleted.filter((name) => names.includes(name)).map((name) => `${name} is still there`)),
  ];
};

/** Both files hold what the platform gave, byte for byte; a step that failed leaves no part of one. */
const filesAreWhole: Check = (run) => {
  if (run.action !== "usage") return [];
  const given = run.platform.flatMap(({ answer }) => (answer?.real ? [answer.text] : []));
  const names = Object.keys(run.files);
  return [
    ...(run.succeeded && names.length !== 2 ? [`succeeded with the files ${names.join(", ")}`] : []),
    ...Object.entries(run.files).flatMap(([name, text]) =>
      given.includes(text) ? [] : [`${name} is not what the platform gave`],
    ),
    ...names.filter((name) => !/^usage\.(json|csv)$/.test(name)).map((name) => `${name} was left behind`),
  ];
};

/** What was rolled back is live again, by a revision that this run brought about. */
const rolledBackIsTrue: Check = (run) => {
  if (run.outputs.rolled_back_to === undefined) return [];
  const { revision_id: own, deployment_id: deploymentId } = run.outputs;
  const live = run.after.find(({ id }) => id === deploymentId)?.active_revision_id;
  const brought = newRevisions(run).find(({ id }) => id === live && id !== own);
  return brought?.status === "DEPLOYED" ? [] : [`told as rolled back, but live is ${live}`];
};

/** The PATCH of a provider succeeds only where the platform answered it. */
const providerIsTrue: Check = (run) =>
  run.action === "oauth-provider" && run.succeeded && !run.platform.some(({ answer }) => answer?.real)
    ? ["succeeded without an answer of the platform's"]
    : [];

/** One deployment and one revision at most, on the platform itself. */
const nothingTwice: Check = (run) => {
  const deployments = newDeployments(run).length;
  const revisions = newRevisions(run).length - run.furtherRevisions;
  return [
    ...(deployments > 1 ? [`${deployments} deployments were made`] : []),
    ...(revisions > 1 ? [`${revisions} revisions were made`] : []),
  ];
};

/** A create or an update is not sent again unless the one before surely didn't happen. */
const noBlindRepeats: Check = (run) => {
  return [isDeploymentWrite, isRedeploy].flatMap((isWrite) => {
    const writes = run.platform.filter(isWrite).filter(({ answer }) => !isRefusal(answer?.status));
    return writes.length > 1 ? [`${writes.length} writes were sent that may each have happened`] : [];
  });
};

function isDeploymentWrite(request: ProxiedRequest): boolean {
  const { method, path } = request;
  return ["POST", "PATCH"].includes(method) && path.startsWith("/v2/deployments") && !isRedeploy(request);
}

function isRedeploy({ path }: ProxiedRequest): boolean {
  return path.endsWith("/redeploy");
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}

/** What an answer told is in the outputs, however the run went on. */
const outputsAreWritten: Check = (run) => {
  if (run.action === "sweep" || run.action === "usage" || run.action === "oauth-provider") return [];
  const { deployment_id: deploymentId, revision_id: revisionId } = run.outputs;
  return run.platform.filter(isDeploymentWrite).flatMap(({ method, path, answer }) => {
    const told = v.safeParse(
      v.pipe(v.string(), v.parseJson(), DeploymentSchema),
      answer?.real ? answer.text : "",
    );
    const id = method === "PATCH" ? path.split("/").at(-1) : told.success ? told.output.id : undefined;
    const revision = told.success ? told.output.latest_revision_id : undefined;
    return [
      ...(id === undefined || id === deploymentId ? [] : [`deployment_id is ${deploymentId}, not ${id}`]),
      ...(!revision || isRefusal(answer?.status) || revision === revisionId
        ? []
        : [`revision_id is ${revisionId}, not ${revision}`]),
    ];
  });
};

/** `revision_id` is a revision that this run made, and `created` is true only where it made the deployment. */
const outputsAreTrue: Check = (run) => {
  const { revision_id: revisionId, created, deployment_id: deploymentId = "" } = run.outputs;
  const own = [run.ownRevision, ...newRevisions(run).map(({ id }) => id)];
  const gone = run.ending === "deleted";
  return [
    ...(revisionId === undefined || gone || own.includes(revisionId)
      ? []
      : [`revision_id ${revisionId} is not this run's`]),
    ...(created !== "true" || gone || newDeployments(run).includes(deploymentId)
      ? []
      : ["created is true, but nothing was"]),
  ];
};

const aMinute = 60_000;
/** More than any run of these needs, however it is hindered. */
const mostRequests = 250;

/**
 * No later than `timeout_seconds` after the write, or the minute in which its effect is looked for; and no write later
 * than `timeout_seconds` after the start. A rollback has as much time again, a deletion a minute or two of its own, and
 * GitHub may put each of its requests off for up to a minute.
 */
const endsInTime: Check = (run) => {
  const { startedAt, endedAt, timeoutMs, platform, github } = run;
  const writtenAt = platform.find(isDeploymentWrite)?.at;
  const putOff =
    github.filter(({ answer }) => answer?.status === 429).length * aMinute + github.length * 1000;
  const before = (writtenAt ?? endedAt) - startedAt;
  const after = endedAt - (writtenAt ?? endedAt);
  const patience = Math.max(timeoutMs, aMinute) + putOff;
  const deletion = platform.some(({ method }) => method === "DELETE") ? 2 * aMinute : 0;
  const rollback = platform.some(isRedeploy) ? timeoutMs + aMinute : 0;
  return [
    ...(before > patience + deletion ? [`took ${before / 1000} s before any write`] : []),
    ...(after > patience + aMinute + deletion + rollback ? [`took ${after / 1000} s after the write`] : []),
  ];
};

const boundedRequests: Check = ({ platform, github }) =>
  platform.length + github.length > mostRequests ? [`${platform.length + github.length} requests`] : [];

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

/** What the `post:` step isn't left to settle is settled: no record goes on as if the run did. */
const recordsAreSettled: Check = ({ state, records }) =>
  state.record_id === ""
    ? records
        .filter((record) => record.state === undefined || record.state === "in_progress")
        .map((record) => `record ${record.id} on GitHub is left as ${record.state}`)
    : [];

const describedRequests: Check = ({ violations }) =>
  violations.map((text) => `GitHub doesn't describe it: ${text}`);

const checks: Readonly<Record<Kind, readonly Check[]>> = {
  truth: [
    exitCode,
    failureIsTold,
    deployedIsTrue,
    deletedIsTrue,
    sweptIsTrue,
    filesAreWhole,
    providerIsTrue,
    rolledBackIsTrue,
    recordsAreSettled,
    describedRequests,
  ],
  duplicate: [nothingTwice, noBlindRepeats],
  leak: [staysAtHome, nothingPrinted, secretsStayApart],
  bounds: [endsInTime, boundedRequests],
  outputs: [outputsAreWritten, outputsAreTrue],
};
