import type { ActionName } from "../../src/run.ts";
import { allInputs, inputsOf } from "./action-inputs.ts";

/** A sentence about another step, whose inputs it may name. */
const aboutOthers = /[^.]*\b(?:the \w+ action|the (?:step|workflow) that deploys it)\b[^.]*/g;

/** The inputs of other actions that texts for people name. The names that are ordinary words count in code spans alone. */
export function foreignInputs(action: ActionName, texts: readonly string[]): string[] {
  const foreign = [...allInputs].filter((name) => !inputsOf.get(action)?.includes(name));
  const isNamed = (name: string) => {
    const named = name.includes("_") ? new RegExp(`(?<![\\w:])${name}(?![\\w:])`) : `\`${name}\``;
    return texts.some((text) => text.replace(aboutOthers, "").search(named) >= 0);
  };
  return foreign.filter(isNamed);
}
