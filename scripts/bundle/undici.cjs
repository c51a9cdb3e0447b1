/**
 * What stands for `undici` in the bundle. The toolkit imports all of it at once, for two things of it that a job needs
 * late or never: they are loaded when first asked for, and the rest isn't bundled at all.
 */
Object.defineProperties(exports, {
  fetch: { get: () => require("undici/lib/web/fetch/index.js").fetch },
  ProxyAgent: {
    get: () => {
      // As undici's index.js does: a proxy is reached by `connect`, which a dispatcher has only then.
      Object.assign(
        require("undici/lib/dispatcher/dispatcher.js").prototype,
        require("undici/lib/api/index.js"),
      );
      return require("undici/lib/dispatcher/proxy-agent.js");
    },
  },
});
