import base from "./jest.config.js";

/**
 * The tests that look for mutants of one folder of src/ (`MUTATED_FOLDER`): thousands of mutants times all tests would
 * take hours.
 */
const testsOf = {
  plan: ["unit/{plan,platform,preview}/**"],
  inputs: ["unit/inputs/**", "unit/platform/**", "unit/usage/*inputs*", "unit/after/*inputs*"],
  watch: ["unit/watch/**", "unit/duration/**", "scenario/deploy/{watching,deadline,live}"],
};

export default {
  ...base,
  testMatch: testsOf[process.env.MUTATED_FOLDER].map((tests) => `<rootDir>/__tests__/${tests}.test.ts`),
};
