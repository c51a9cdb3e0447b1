// Workspaces of yarn and pnpm: the emulator builds them with these, in the root of the upload.
import { delimiter } from "node:path";
import { expect, test } from "@jest/globals";
import { deployFiles } from "../../emulator/__tests__/run/support/deploy-files.ts";
import { agentFile } from "../../emulator/__tests__/run/support/repository.ts";
import { askAgent, withRunning } from "../../emulator/__tests__/run/support/running.ts";
import { packageManagerFolder } from "./support/vendor-client.ts";

const json = (value: object) => JSON.stringify(value);
const agent = agentFile("1")
  .replace('version: "1"', "version")
  .replace("import", 'import { version } from "words";\nimport');
const library = {
  "libs/words/package.json": json({ name: "words", version: "1.0.0", type: "module", exports: "./index.js" }),
  "libs/words/index.js": 'export const version = "of the library";\n',
};
const desk = (words: string) => ({ name: "desk", private: true, dependencies: { words } });
/** A folder of the workspace that has its own package.json and no lock file. */
const app = (words: string) => ({
  ...library,
  "apps/desk/langgraph.json": "{}",
  "apps/desk/package.json": json(desk(words)),
  "apps/desk/agent.mjs": agent,
});
const yarnRoot = {
  "package.json": json({ name: "root", private: true, workspaces: ["libs/*", "apps/*"] }),
  "yarn.lock": "# yarn lockfile v1\n",
};
const pnpmRoot = {
  "package.json": json({ name: "root", private: true }),
  "pnpm-workspace.yaml": "packages: [libs/*, apps/*]\n",
  "pnpm-lock.yaml": `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .: {}

  apps/desk:
    dependencies:
      words:
        specifier: workspace:*
        version: link:../../libs/words

  libs/words: {}
`,
};

test.each([
  ["yarn", { ...yarnRoot, ...app("1.0.0") }],
  ["pnpm", { ...pnpmRoot, ...app("workspace:*") }],
])("a workspace of %s is installed in the root and built in the folder of its agent", (_, files) =>
  withRunning({ platform: "langsmith" }, async (emulator) => {
    const { PATH } = process.env;
    process.env.PATH = [packageManagerFolder, PATH].join(delimiter);
    const path = "apps/desk/langgraph.json";

    const { url, status } = await deployFiles(emulator, files, {
      path,
      commands: { build_command: "test -f agent.mjs" },
    });
    process.env.PATH = PATH;

    expect(status).toBe("DEPLOYED");
    expect((await askAgent(url)).version).toBe("of the library");
  }),
);
