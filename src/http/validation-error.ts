import * as v from "valibot";

const ValidationItemSchema = v.looseObject({
  loc: v.array(v.union([v.string(), v.number()])),
  msg: v.string(),
  type: v.string(),
});

/** The body of a 422 (platform-api, "Validation error body"). */
export const ValidationErrorSchema = v.looseObject({ detail: v.optional(v.array(ValidationItemSchema)) });
