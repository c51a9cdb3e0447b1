/** Whether what a run says is true: its exit code, log and outputs against the state of the platform and of GitHub. */
import * as v from "valibot";
import { DeploymentSchema, RevisionSchema } from "../../src/platform/schemas.ts";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import {
  type Check,
  isDeploymentWrite,
  isRefusal,
  newDeployments,
  newRevisions,
  type Observation,
} from "./observation.ts";

const successes = ["deployed", "started", "planned", "deleted", "skipped", "done"];

const exitCode: Check = ({ succeeded, ending }) =>
  succeeded === successes.includes(ending)
    ? []
    : [`ended as ${ending}, but the step ${succeeded ? "succeeds" : "fails"}`];

/** A failure has an error annotation that says why. */
const failureIsReported: Check = ({ succeeded, lines }) => {
  if (succeeded) return [];
  const errors = errorsOf({ lines }).filter((text) => text.length > 40);
  const internal = lines.filter(({ text }) => text.includes("Internal error"));
  return [
    ...(errors.length === 0 ? ["failed without an error annotation that says why"] : []),
    ...internal.map(({ text }) => `reported as an internal error: ${text}`),
  ];
};

function errorsOf({ lines }: Pick<Observation, "lines">): string[] {
  return lines.filter(({ kind }) => kind === "error").map(({ text }) => text);
}

/** `deployed` only if the run saw its revision as `DEPLOYED`, and it is so on the platform. */
const deployedIsTrue: Check = ({ ending, outputs: { revision_id: id = "" }, after, platform }) => {
  if (ending !== "deployed") return [];
  const status = after.flatMap(({ revisions }) => revisions).find((one) => one.id === id)?.status;
  const wasSeen = platform.some(
    (request) => request.path.endsWith(`/revisions/${id}`) && statusIn(request) === "DEPLOYED",
  );
  return [
    ...(status === "DEPLOYED" ? [] : [`deployed, but on the platform revision ${id} is ${status}`]),
    ...(wasSeen ? [] : [`deployed, but revision ${id} was never seen as DEPLOYED`]),
  ];
};

function statusIn({ response }: ProxiedRequest): string | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), RevisionSchema), response?.text);
  return parsed.success ? parsed.output.status : undefined;
}

const deletedIsTrue: Check = (run) => {
  if (run.ending !== "deleted" || run.action === "sweep") return [];
  const left = run.after.filter(({ status }) => status !== "AWAITING_DELETE");
  return left.map(({ name }) => `deleted, but ${name} still exists`);
};

/** What a sweep deleted is gone, and the preview of an open pull request is not. */
const sweptIsTrue: Check = (run) => {
  if (run.action !== "sweep") return [];
  const names = run.after.map(({ name }) => name);
  const deleted = v.parse(v.pipe(v.string(), v.parseJson(), v.array(v.string())), run.outputs.deleted);
  const left = deleted.filter((name) => names.includes(name));
  return [
    ...(names.includes("octo-repo-7739a-pr-8") ? [] : ["the preview of an open pull request was deleted"]),
    ...left.map((name) => `deleted, but ${name} still exists`),
  ];
};

/** Usage files are what the platform sent, byte for byte. A step that failed leaves no part of one. */
const filesAreComplete: Check = ({ action, succeeded, platform, files }) => {
  if (action !== "usage") return [];
  const sent = platform.flatMap(({ response }) => (response?.isReal ? [response.text] : []));
  const names = Object.keys(files);
  return [
    ...(succeeded && names.length !== 2 ? [`succeeded with the files ${names.join(", ")}`] : []),
    ...names.filter((name) => !sent.includes(files[name] ?? "")).map((name) => `${name} was not sent so`),
    ...names.filter((name) => !/^usage\.(json|csv)$/.test(name)).map((name) => `${name} was left behind`),
  ];
};

/** What was rolled back to is live again, by the revision of a rollback: for `rollback_on_failure` not `revision_id`. */
const rolledBackIsTrue: Check = (run) => {
  const { rolled_back_to: rolledBack, revision_id: own, deployment_id: deploymentId } = run.outputs;
  if (rolledBack === undefined) return [];
  const live = run.after.find(({ id }) => id === deploymentId)?.active_revision_id;
  const made = newRevisions(run).find(
    ({ id }) => id === live && (id === own) === (run.action === "rollback"),
  );
  return made?.status === "DEPLOYED" ? [] : [`reported as rolled back, but ${live} is live`];
};

const providerIsTrue: Check = ({ action, succeeded, platform }) =>
  action === "oauth-provider" && succeeded && !platform.some(({ response }) => response?.isReal)
    ? ["succeeded without a response of the platform"]
    : [];

/** Unless the post step still has to do it, every record gets a final state. */
const recordsAreFinal: Check = ({ state, records }) =>
  records
    .filter((record) => state.record_id === "" && [undefined, "in_progress"].includes(record.state))
    .map((record) => `record ${record.id} on GitHub is left as ${record.state}`);

/** If the run does not know its revision, it names somebody else's that it saw instead. */
const foreignRevisionIsNamed: Check = ({ options, outputs: { revision_id: own }, platform, lines }) => {
  const foreign = options.foreignRevision;
  const writtenAt = platform.findIndex(isDeploymentWrite);
  const wasSeen = platform
    .slice(writtenAt)
    .some(({ path, response }) => path.endsWith("/revisions") && response?.text.includes(String(foreign)));
  if (foreign === undefined || own !== undefined || writtenAt < 0 || !wasSeen) return [];
  return errorsOf({ lines }).some((text) => text.includes(foreign))
    ? []
    : [`no error names revision ${foreign}, which appeared during the run`];
};

const requestsAreDescribed: Check = ({ violations }) =>
  violations.map((text) => `GitHub does not describe it: ${text}`);

/** What a run says is true. */
export const claims: readonly Check[] = [
  exitCode,
  failureIsReported,
  deployedIsTrue,
  deletedIsTrue,
  sweptIsTrue,
  filesAreComplete,
  rolledBackIsTrue,
  providerIsTrue,
  recordsAreFinal,
  foreignRevisionIsNamed,
  requestsAreDescribed,
];

/** Ids that a response showed are in the outputs, however the run ends. */
const shownIdsAreWritten: Check = ({ action, outputs: written, platform }) => {
  if (action === "sweep" || action === "usage" || action === "oauth-provider") return [];
  return platform.filter(isDeploymentWrite).flatMap(({ method, path, response }) => {
    const text = response?.isReal ? response.text : "";
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), DeploymentSchema), text);
    const shown = parsed.success ? parsed.output : undefined;
    const id = method === "PATCH" ? path.split("/").at(-1) : shown?.id;
    const revision = isRefusal(response) ? undefined : shown?.latest_revision_id;
    return [
      ...(id && id !== written.deployment_id ? [`deployment_id is ${written.deployment_id}, not ${id}`] : []),
      ...(revision && revision !== written.revision_id
        ? [`revision_id is ${written.revision_id}, not ${revision}`]
        : []),
    ];
  });
};

/** `revision_id` is a revision of this run, and `created` is true only if this run created the deployment. */
const outputsAreTrue: Check = (run) => {
  const { revision_id: revisionId, created, deployment_id: deploymentId = "" } = run.outputs;
  if (run.ending === "deleted") return [];
  const own = [run.options.ownRevision, ...newRevisions(run).map(({ id }) => id)];
  const isCreated = newDeployments(run).includes(deploymentId);
  return [
    ...(revisionId === undefined || own.includes(revisionId) ? [] : [`${revisionId} is not this run's`]),
    ...(created === "true" && !isCreated ? ["created is true, but no deployment was created"] : []),
  ];
};

/** The outputs are what the platform showed, and nothing else. */
export const outputs: readonly Check[] = [shownIdsAreWritten, outputsAreTrue];
