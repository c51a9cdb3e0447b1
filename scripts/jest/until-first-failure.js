import { TestEnvironment } from "jest-environment-node";

/** Skips what is left after the first failed test: one is enough to find a mutant. Jest's `bail` only skips other files. */
export default class UntilFirstFailure extends TestEnvironment {
  #hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === "test_start" && this.#hasFailed) test.mode = "skip";
    if (name === "test_done" && test.errors.length > 0) this.#hasFailed = true;
  }
}
