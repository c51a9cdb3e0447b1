import { text } from "../text/message.ts";
import { notSupported, type Platform } from "./platform.ts";
import { findSourceProblems } from "./source-rules.ts";

/** The published API alone. */
export const standard: Platform = {
  regions: undefined,
  defaultAppConfigPath: undefined,
  deleteTracesQuery: undefined,
  reservedNames: [],
  rollbackWarning: text`The API of this platform describes no way to deploy an earlier revision again, so a rollback may fail.`,

  createDefaults: () => ({ deployment_type: "dev" }),
  encode: (body) => body,
  divideUpdate: (body) => ({ revisionPart: { method: "PATCH", body } }),
  createsWithoutRevision: () => false,
  removedSecrets: () => [],

  findProblems: ({ listenerId, upload }) => [
    ...(listenerId === undefined ? [] : [notSupported("listener_id")]),
    ...(upload === undefined ? [] : [notSupported("source_path")]),
  ],
  findUpdateProblems: findSourceProblems,
  fallbackType: () => undefined,
  createWarnings: () => [],

  createUploadAddress: undefined,
  listIntegrations: undefined,
  openLog: undefined,
};
