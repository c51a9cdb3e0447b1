/** Why a revision can't be built or started, in one line for its `status_message`. */
export class RunFailure extends Error {}
