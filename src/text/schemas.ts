// Parts of schemas for responses from outside.

import * as v from "valibot";

/**
 * Printable and without blanks, because ids become outputs, which workflows put into scripts. Not `.` or `..`, which URL
 * parsers resolve even if they are encoded.
 */
export const IdSchema = v.pipe(
  v.string(),
  v.regex(/^(?!\.{1,2}$)[^\s\p{C}\p{Default_Ignorable_Code_Point}]+$/u),
);

/** Returns the schema of a field whose unexpected value counts as absent. */
export function orAbsent<const T extends v.GenericSchema>(schema: T) {
  return v.fallback(v.optional(schema), undefined);
}

/** A text of a response. An empty one counts as absent: some platforms send it in place of `null`. */
export const textOrAbsent = orAbsent(v.pipe(v.string(), v.minLength(1)));

/** Returns the schema of a list. Some platforms send `null` in place of an empty one. */
export function arrayOf<const T extends v.GenericSchema>(item: T) {
  return v.pipe(
    v.nullable(v.array(item)),
    v.transform((items) => items ?? []),
  );
}
