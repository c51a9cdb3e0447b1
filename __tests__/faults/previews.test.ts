import { testMatrix } from "./matrix.ts";
import { previewScenarios } from "./scenarios/preview.ts";

testMatrix("previews", previewScenarios);
