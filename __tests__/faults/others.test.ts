import { testMatrix } from "./matrix.ts";
import { otherScenarios } from "./scenarios/all.ts";

testMatrix("of all other actions", otherScenarios);
