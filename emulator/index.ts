/** The emulator for programs and tests in the same process. `cli.ts` is the emulator as a program. */
export type { DeploymentSnapshot } from "./control-plane/control-plane.ts";
export { ActiveFaults } from "./faults/active-faults.ts";
export type { Fault, FaultRule } from "./faults/fault-rule.ts";
export { createListener, type Exchange, respondWithFault } from "./faults/respond.ts";
export { DEFAULT_WORKSPACE_ID, type EmulatorOptions } from "./options.ts";
export { type LoggedRequest, logEntry, loggedBody } from "./request-log.ts";
export { SAMPLE_INTEGRATION } from "./routes/integrations.ts";
export { type Emulator, startEmulator } from "./server.ts";
