import * as v from "valibot";

/** The shape of `resource_spec` is not published, so any JSON object passes. */
export const ResourceSpecSchema = v.record(v.string(), v.unknown());

export const SecretSchema = v.strictObject({ name: v.string(), value: v.string() });
