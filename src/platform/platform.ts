import type { Failure } from "../errors.ts";
import type { ApiClient } from "../http/api-client.ts";
import type { InputProblem } from "../input-problem.ts";
import type { InputName } from "../text/input-names.ts";
import { code, inputName, type Message, phrase, text } from "../text/message.ts";
import type { Deployment } from "./deployment.ts";
import type { DesiredDeployment } from "./desired-deployment.ts";
import type { RequestBody } from "./request-body.ts";
import type { LogReader, RevisionLog } from "./revision-log.ts";
import type { CreateUploadAddress } from "./source-upload.ts";

/**
 * One of the platforms that serve this API. A member is undefined if the platform lacks it. An installation may also lack an
 * endpoint that the platform describes: then it responds with 404, 405 or 501.
 */
export interface Platform {
  /** The default of `app_config_path` on create. */
  readonly defaultAppConfigPath: string | undefined;
  /** Whether a deletion can also delete the tracing project, which would keep the name taken. */
  readonly canDeleteTraces: boolean;
  /** Names of variables that some installation of the platform sets itself. */
  readonly reservedNames: readonly string[];
  /** Logged if a run may roll back. */
  readonly rollbackWarning: Message | undefined;

  /** Returns the default of `deployment_type` in a create of this source; undefined if it has no type. */
  defaultType(sourceKind: string): string | undefined;
  /** Returns the body of a create. It has every field, `null` if it is not set (docs/specification.md#what-is-sent). */
  createBody(name: string, desired: DesiredDeployment): RequestBody;
  /** Whether a create of this source makes no revision: its archive or image is sent afterwards. */
  createsWithoutRevision(sourceKind: string | undefined): boolean;
  /** Returns the requests of an update. They have only the fields that are set. `desired`: with the deployment's source. */
  updateRequests(desired: DesiredDeployment): UpdateRequests;
  /** Returns the names of the secrets that an update removes, as far as the deployment shows them. */
  removedSecrets(desired: DesiredDeployment, deployment: Pick<Deployment, "secretNames">): readonly string[];

  /** Returns the problems of inputs that the platform does not support, or would refuse late or without a reason. */
  findProblems(desired: DesiredDeployment): readonly InputProblem[];
  /** Returns the problems of an update that show only beside the deployment, such as a change of what is fixed. */
  findUpdateProblems(desired: DesiredDeployment, deployment: Deployment): readonly InputProblem[];
  /**
   * Returns the type to create if the platform refused one because it sleeps when idle. `hint`: the advice in place of that, if
   * the refused type is not the default one.
   */
  fallbackType(refusal: Failure): { readonly type: string; readonly hint: Message } | undefined;
  /** Returns what may go wrong after a create, but is sent as it is. */
  createWarning(name: string, desired: DesiredDeployment): Message | undefined;

  readonly uploads:
    | { readonly defaultConfigPath: string; readonly createAddress: CreateUploadAddress }
    | undefined;
  /** Returns the integrations, with the repositories that each can read. */
  readonly listIntegrations: ((api: ApiClient) => Promise<readonly Integration[]>) | undefined;
  readonly openLog: ((api: ApiClient, log: RevisionLog) => LogReader) | undefined;
}

export interface UpdateRequest {
  /** `POST` asks for a revision. */
  readonly method: "PATCH" | "POST";
  readonly body: RequestBody;
}

export interface UpdateRequests {
  /** The fields of `source_config` that make no revision, sent first; undefined if none are set. */
  readonly config?: UpdateRequest | undefined;
  /** The other fields, which make the revision. */
  readonly revision: UpdateRequest;
}

/** Returns the problem of an input that only LangSmith Deployment supports. */
export function notSupported(name: InputName): InputProblem {
  return {
    input: name,
    problem: phrase`is not supported on this platform`,
    hint: text`If this control plane is LangSmith's, set ${code("platform: langsmith")}. Otherwise, remove ${inputName(name)}.`,
  };
}

/** Gives the platform access to repositories. */
export interface Integration {
  readonly id: string;
  readonly name: string;
  readonly repositories: readonly string[];
}
