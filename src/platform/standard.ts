import { text } from "../text/message.ts";
import type { Platform } from "./platform.ts";
import { sourceKinds } from "./source-kinds.ts";

/** The API as it is published, and nothing beyond. */
export const standard: Platform = {
  regions: undefined,
  defaultAppConfigPath: undefined,
  deleteTracesQuery: undefined,
  rollbackWarning: text`The API of this platform describes no way to deploy an earlier revision again, so a rollback may fail.`,

  defaultType: () => "dev",
  encode: (body) => body,
  divideUpdate({ source_config: given = {}, ...rest }, source) {
    const { build_on_push, ...others } = given;
    const config = source === sourceKinds.github ? given : others;
    const revision = Object.keys(config).length === 0 ? rest : { source_config: config, ...rest };
    return { settings: undefined, revision, isPosted: false };
  },
  createsWithoutRevision: () => false,
  removedSecrets: () => [],

  findProblems: () => [],
  findUpdateProblems: () => [],
  createWarning: () => undefined,

  listenerConfig: undefined,
  createRevision: undefined,
  createUploadAddress: undefined,
  listIntegrations: undefined,
  listIntegratedRepositories: undefined,
  openLog: undefined,
};
