/** What the configuration file says of an agent in Python: https://docs.langchain.com/langgraph-platform/cli */
import * as v from "valibot";
import { RunFailure } from "../../errors.ts";

export interface PythonApp {
  /** As in `3.11`; undefined if every version will do that the vendor's server supports. */
  readonly version: string | undefined;
  /** Folders, which start with a dot, and packages. */
  readonly dependencies: readonly string[];
  readonly pipConfigFile: string | undefined;
  readonly needsPip: boolean;
  /** Whether the configuration says in another way than `dependencies` what to install. */
  readonly hasSource: boolean;
}

const PythonAppSchema = v.looseObject({
  python_version: v.nullish(v.pipe(v.string(), v.regex(/^3\.\d+$/))),
  dependencies: v.nullish(v.array(v.string())),
  pip_config_file: v.nullish(v.string()),
  pip_installer: v.nullish(v.string()),
  source: v.nullish(v.unknown()),
});

const EXPECTED = new Map([
  ["python_version", 'has to be a text such as "3.11"'],
  ["dependencies", "has to be a list of folders and packages"],
]);

/** @throws {RunFailure} if a setting is invalid */
export function pythonAppOf(content: Readonly<Record<string, unknown>>, path: string): PythonApp {
  const parsed = v.safeParse(PythonAppSchema, content);
  if (!parsed.success) {
    const name = String(parsed.issues[0].path?.[0]?.key);
    throw new RunFailure(
      `${name} ${EXPECTED.get(name) ?? "has to be a text"} in the configuration file: ${path}`,
    );
  }
  const { python_version, dependencies, pip_config_file, pip_installer, source } = parsed.output;
  return {
    version: python_version ?? undefined,
    dependencies: dependencies ?? [],
    pipConfigFile: pip_config_file ?? undefined,
    // uv reads no configuration of pip.
    needsPip: pip_installer === "pip" || (pip_config_file ?? null) !== null,
    hasSource: (source ?? null) !== null,
  };
}
