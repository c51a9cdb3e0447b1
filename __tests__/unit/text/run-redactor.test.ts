import { expect, test } from "@jest/globals";
import { createRunRedactor } from "../../../src/text/run-redactor.ts";

const secrets = {
  credentials: ["key1"],
  values: ["eu-west", "twelve-chars", "octo-org/octo-repo"],
};
const redactor = () => createRunRedactor(secrets, ["see octo-org/octo-repo on GitHub", "Deploy"]);
const text = "key1 eu-west twelve-chars octo-org/octo-repo";

test("text is shown without any secret", () => {
  expect(redactor().redactText(text)).toBe("*** *** *** ***");
});

test("an id or a URL is shown with short values, and with those that the run shows anyway", () => {
  expect(redactor().redactIdentifier(text)).toBe("*** eu-west *** octo-org/octo-repo");
});

test("a credential that the run learns later is redacted from then on, with those before", () => {
  const redact = redactor();

  redact.addCredentials(["late"]);

  expect(redact.redactText(`${text} late`)).toBe("*** *** *** *** ***");
  expect(redact.redactIdentifier(`${text} late`)).toBe("*** eu-west *** octo-org/octo-repo ***");
});

test("what may be a secret is redacted in texts alone, unless it is short or shown anyway", () => {
  const redact = redactor();

  redact.addTextSecrets(["another-value", "short-value", "octo-org/octo-repo"]);

  const learned = "another-value short-value octo-org/octo-repo";
  expect(redact.redactText(learned)).toBe("*** short-value ***");
  expect(redact.redactIdentifier(learned)).toBe(learned);
});

test("what may be a secret stays redacted when the run learns a credential", () => {
  const redact = redactor();

  redact.addTextSecrets(["another-value"]);
  redact.addCredentials(["late"]);

  expect(redact.redactText("another-value late")).toBe("*** ***");
});
