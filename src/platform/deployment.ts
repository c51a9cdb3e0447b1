import * as v from "valibot";
import { IdSchema, orAbsent, textOrAbsent } from "../text/schemas.ts";
import { DeploymentIdSchema, RevisionIdSchema } from "./ids.ts";

/** Says that there is no id. */
const noId = v.pipe(
  v.nullable(v.literal("")),
  v.transform(() => null),
);

const SourceConfigSchema = v.looseObject({
  repo_url: textOrAbsent,
  custom_url: textOrAbsent,
  integration_id: textOrAbsent,
  deployment_type: textOrAbsent,
  listener_id: orAbsent(v.union([IdSchema, noId])),
  listener_config: orAbsent(v.looseObject({ k8s_namespace: textOrAbsent })),
});

/** A deployment in a response: only `id` is promised. */
export const DeploymentSchema = v.looseObject({
  id: DeploymentIdSchema,
  name: textOrAbsent,
  status: textOrAbsent,
  source: textOrAbsent,
  url: textOrAbsent,
  latest_revision_id: orAbsent(RevisionIdSchema),
  active_revision_id: orAbsent(RevisionIdSchema),
  source_config: orAbsent(SourceConfigSchema),
  /** Some platforms also show the values. */
  secrets: orAbsent(v.array(v.object({ name: v.string(), value: orAbsent(v.string()) }))),
});

export type DeploymentWire = v.InferOutput<typeof DeploymentSchema>;

/** A deployment; a field that the platform does not show is undefined. */
export type Deployment = Readonly<ReturnType<typeof toDeployment>>;

/** `hasShownLive`: whether any response to this run has shown which revision of the deployment is live. */
export function toDeployment(wire: DeploymentWire, hasShownLive: boolean) {
  const { source_config: config } = wire;
  return {
    id: wire.id,
    name: wire.name,
    status: wire.status,
    url: httpUrl(wire.url) ?? httpUrl(config?.custom_url),
    repoUrl: config?.repo_url,
    sourceKind: wire.source,
    integrationId: config?.integration_id,
    deploymentType: config?.deployment_type,
    /** `null` if the platform says that there is none. */
    listenerId: config?.listener_id,
    k8sNamespace: config?.listener_config?.k8s_namespace,
    secretNames: wire.secrets?.map(({ name }) => name),
    latestRevisionId: wire.latest_revision_id,
    activeRevisionId: wire.active_revision_id,
    hasShownLive,
  };
}

export function isBeingDeleted({ status }: Deployment): boolean {
  return ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"].includes(status?.toUpperCase() ?? "");
}

/** Returns the URL if it is http(s), without user info, query and fragment, which may be credentials. */
function httpUrl(raw = ""): string | undefined {
  const url = URL.parse(raw);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
