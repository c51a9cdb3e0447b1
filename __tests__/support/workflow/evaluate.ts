import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** The contexts of an expression, such as `github` and `inputs`, as plain data. */
export type Contexts = Readonly<Record<string, unknown>>;

/** A text with the values of its expressions (`${{ … }}`), as GitHub computes them. @throws if one is invalid */
export function evaluateText(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_match, expression: string) =>
    evaluate(expression, contexts).coerceString(),
  );
}

/**
 * Whether an `if:` holds in a run that was not cancelled. One that is not given does. `hasSucceeded`: what its `success()`
 * returns.
 * @throws if it is invalid
 */
export function evaluateCondition(
  condition: string | undefined,
  contexts: Contexts,
  { hasSucceeded = true } = {},
): boolean {
  if (condition === undefined) return true;
  const expression = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, "$1");
  return evaluate(`!!(${expression})`, contexts, hasSucceeded).coerceString() === "true";
}

function evaluate(expression: string, contexts: Contexts, hasSucceeded = true): data.ExpressionData {
  const functions = Object.entries({ success: hasSucceeded, cancelled: false }).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const tree = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  const values = Object.entries(contexts).map(([key, value]) => ({ key, value: toData(value) }));
  return new Evaluator(
    tree,
    new data.Dictionary(...values),
    new Map(functions.map((one) => [one.name, one])),
  ).evaluate();
}

function toData(value: unknown): data.ExpressionData {
  return JSON.parse(JSON.stringify(value), data.reviver);
}
