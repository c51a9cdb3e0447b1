/** The wire format of the code-repository integrations (platform-field-notes, "Endpoints beyond platform-api"). */
import * as v from "valibot";

/** GET /v1/integrations/github/install */
export const IntegrationListSchema = v.array(
  v.looseObject({ id: v.pipe(v.string(), v.minLength(1)), name: v.optional(v.string(), "") }),
);
export type Integration = v.InferOutput<typeof IntegrationListSchema>[number];

/** GET /v1/integrations/github/{integration_id}/repos */
export const IntegratedRepositoryListSchema = v.array(v.looseObject({ url: v.string() }));
