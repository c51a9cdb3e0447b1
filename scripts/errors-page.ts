// `npm run docs:errors`: writes the sections of docs/errors.md from what the action says.
import { mustRun } from "./support/run.ts";

await mustRun("jest", ["__tests__/scenario/errors"], {
  UPDATE_DOCS: "true",
  NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning",
});
