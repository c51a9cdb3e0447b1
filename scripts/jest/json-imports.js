/** Adds the import attribute that Jest asks for to the imports of JSON in a library that lacks it. */
export default {
  process: (code) => ({ code: code.replaceAll(/^import .+\.json"(?=;)/gm, '$& with { type: "json" }') }),
};
