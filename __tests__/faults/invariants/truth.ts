/** The run's word against the platform's and GitHub's own state. */
import * as v from "valibot";
import { RevisionSchema } from "../../../src/platform/schemas.ts";
import type { ProxiedRequest } from "../faulty-proxy.ts";
import { newRevisions } from "../observation.ts";
import type { Check } from "./check.ts";

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

/** What the `post:` step isn't left to settle is settled: no record goes on as if the run did. */
const recordsAreSettled: Check = ({ state, records }) =>
  state.record_id === ""
    ? records
        .filter((record) => record.state === undefined || record.state === "in_progress")
        .map((record) => `record ${record.id} on GitHub is left as ${record.state}`)
    : [];

const describedRequests: Check = ({ violations }) =>
  violations.map((text) => `GitHub doesn't describe it: ${text}`);

/** What a run says is so. */
export const truth: readonly Check[] = [
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
];
