import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { compareSchemas } from "../../../../src/compare/compare-schemas.ts";
import type { SchemaKind } from "../../../../src/compare/contract-change.ts";
import { expandSchema } from "../../../../src/compare/expand-schema.ts";
import { type SchemaPair, schemaPairs } from "./schema-pairs.ts";
import { valuesOf } from "./values.ts";

/**
 * Checks that if nothing is breaking and nothing is to be checked by hand, no value is refused by who receives it.
 *
 * @returns how many pairs were compared whose schemas differ
 */
export function checkAgainstAjv(kind: SchemaKind, parameters: fc.Parameters<[SchemaPair]>): number {
  let compared = 0;
  fc.assert(
    fc.property(schemaPairs, ({ before, after }) => {
      const subject = { graph: "agent", kind, threadIds: ["t"] };
      const changes = compareSchemas(subject, expandSchema(before), expandSchema(after));
      if (changes.some(({ severity }) => severity !== "note")) return;
      if (JSON.stringify(before) !== JSON.stringify(after)) compared += 1;
      const [one, other] = kind === "output" ? [after, before] : [before, after];
      const [sent, expected] = kind === "state" ? [optional(one), optional(other)] : [one, other];
      const ajv = new Ajv2020({ strict: false, logger: false });
      const [isSent, isExpected] = [ajv.compile(asSet(sent)), ajv.compile(asSet(expected))];
      const refused = valuesOf(sent, sent).find((value) => isSent(value) && !isExpected(value));
      if (refused !== undefined) {
        throw new Error(
          `${kind}: ${JSON.stringify(refused)} is refused, and nothing was found between\n${JSON.stringify(before)}\n${JSON.stringify(after)}`,
        );
      }
    }),
    parameters,
  );
  return compared;
}

/** Alternatives are compared as a set: that a `oneOf` refuses what fits two of them doesn't count. */
function asSet(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"oneOf":', '"anyOf":'));
}

/** Of what threads keep, nothing at the root is required. */
function optional(schema: object): object {
  return { ...schema, required: [] };
}
