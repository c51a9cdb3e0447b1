/** The dialect of LangSmith Deployment (platform-field-notes). */
import { createHash } from "node:crypto";
import type { Config } from "../deployments/store.ts";
import type { EmulatedPlatform, Source } from "../platform.ts";
import { reasonOf } from "./failure.ts";
import {
  CreateSchema,
  DeleteQuerySchema,
  RevisionsQuerySchema,
  UpdateSchema,
  UuidSchema,
} from "./requests.ts";
import { extraRoutes } from "./routes.ts";
import { badEnd, checkCreate, checkUpdate } from "./rules.ts";

export const langsmith: EmulatedPlatform = {
  createSchema: CreateSchema,
  updateSchema: UpdateSchema,
  revisionsQuerySchema: RevisionsQuerySchema,
  deleteQuerySchema: DeleteQuerySchema,
  idSchema: UuidSchema,
  checkCreate,
  checkUpdate,
  queues: true,
  builtFrom: (source) => ({ ...source.config, repo_commit_sha: commitOf(source) }),
  badEnd,
  liveUrl: ({ name }, origin) => `${origin}/live/${name}`,
  showRevision: (view, step) => ({
    ...view,
    source_revision_config: shown(view.source_revision_config),
    status_message: reasonOf(step),
  }),
  showDeployment: (view, latest) => ({
    ...view,
    source_config: { ...view.source_config, custom_url: view.source_config.custom_url ?? view.url },
    source_revision_config: shown(latest ?? view.source_revision_config),
    secrets: view.secrets.map(({ name }) => ({ name, value: HIDDEN })),
  }),
  extraRoutes,
};

/** There a secret is shown with a value; what it holds of the real one isn't published. */
const HIDDEN = "********";

/** A deployment's and a revision's configuration under the names it has there. */
function shown({ app_config_path: langgraph_config_path = null, ...others }: Config): Config {
  return { ...others, langgraph_config_path };
}

/** The commit that a ref points at: the one that was set, else always the same for a ref of a repository. */
function commitOf({ source, repository, config, commits }: Source): string | null {
  const { repo_ref: ref } = config;
  if (source !== "github" || typeof ref !== "string" || badEnd(config) !== undefined) return null;
  return commits.get(ref) ?? createHash("sha1").update(`${repository} ${ref}`).digest("hex");
}
