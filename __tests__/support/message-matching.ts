import { type Message, rawText } from "../../src/text/message.ts";

/** For `expect`: matches a message by its text with raw values. */
export function messageMatching(pattern: RegExp) {
  return {
    $$typeof: Symbol.for("jest.asymmetricMatcher"),
    asymmetricMatch: (message: Message | undefined) =>
      message !== undefined && pattern.test(rawText(message)),
    toAsymmetricMatcher: () => `MessageMatching ${pattern}`,
  };
}
