/**
 * Replaces `undici` in the bundle. `@actions/http-client` imports its ProxyAgent for `getAgentDispatcher` only
 * (https://github.com/actions/toolkit/blob/main/packages/http-client/src/index.ts), which nothing here calls: requests use
 * `node:http` with the agent of `getAgent`.
 */
exports.ProxyAgent = class ProxyAgent {
  constructor() {
    throw new Error("undici is not part of the bundle");
  }
};
