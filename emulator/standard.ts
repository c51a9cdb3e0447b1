/** The platform as platform-api describes it, and nothing else. */
import * as v from "valibot";
import { CreateSchema, RevisionsQuerySchema, UpdateSchema } from "./deployments/requests.ts";
import type { EmulatedPlatform } from "./platform.ts";

export const standard: EmulatedPlatform = {
  createSchema: CreateSchema,
  updateSchema: UpdateSchema,
  revisionsQuerySchema: RevisionsQuerySchema,
  deleteQuerySchema: v.strictObject({}),
  idSchema: v.string(),
  checkCreate() {},
  checkUpdate() {},
  queues: false,
  builtFrom: ({ config }) => config,
  badEnd: () => undefined,
  liveUrl({ id, name }) {
    const label = name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-");
    // RFC 2606 keeps .example free: nobody is ever sent to somebody's real host.
    return `https://${label}-${id.slice(0, 8)}.deployments.example`;
  },
  showRevision: (view) => view,
  showDeployment: (view) => view,
  extraRoutes: undefined,
};
