import { beforeEach, expect } from "@jest/globals";

// A test that asserts nothing passes whatever happens.
beforeEach(() => {
  expect.hasAssertions();
});
