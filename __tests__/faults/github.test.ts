import { testMatrix } from "./matrix.ts";
import { gitHubScenarios } from "./scenarios/all.ts";

testMatrix("with GitHub, too", gitHubScenarios);
