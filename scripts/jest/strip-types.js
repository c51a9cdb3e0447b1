import { stripTypeScriptTypes } from "node:module";

/** Removes types as Node.js does when it runs a script, so that lines and columns stay what they are. */
export default {
  process: (code) => ({ code: stripTypeScriptTypes(code) }),
};
