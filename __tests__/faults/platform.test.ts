import { testMatrix } from "./matrix.ts";
import { platformScenarios } from "./scenarios/all.ts";

testMatrix("with the platform", platformScenarios);
