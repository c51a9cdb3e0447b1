import { stringify } from "yaml";
import type { ActionFile } from "./action-file.ts";
import { inputTypes, outputTypes, type ValueType } from "./types.ts";

const head = `# Types of the inputs and outputs, for tools that read https://github.com/typesafegithub/github-actions-typing.
# Generated from action.yml and scripts/docs/types.ts by npm run docs.
`;

/** The text of the action-types.yml beside an action.yml. Throws if an input has no type. */
export function actionTypes({ inputs, outputs }: ActionFile): string {
  return (
    head +
    stringify(
      { inputs: mapNames(inputs, inputType), outputs: mapNames(outputs, outputType) },
      { aliasDuplicateObjects: false },
    )
  );
}

function mapNames(named: object, typeOf: (name: string) => ValueType): Record<string, ValueType> {
  return Object.fromEntries(Object.keys(named).map((name) => [name, typeOf(name)]));
}

function inputType(name: string): ValueType {
  const type = inputTypes[name];
  if (type === undefined) throw new Error(`The input ${name} has no type. Add it to scripts/docs/types.ts.`);
  return type;
}

function outputType(name: string): ValueType {
  return outputTypes[name] ?? { type: "string" };
}
