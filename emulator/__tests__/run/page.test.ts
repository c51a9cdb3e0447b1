// The page of an emulator that runs what is deployed.
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { create, deployRef } from "../support/client.ts";
import { withEmulator, withTemporaryFolder } from "../support/emulator.ts";
import { openPage, textOf, textsOf } from "../support/page.ts";
import { createRepository } from "./support/repository.ts";
import { endOf, runRequest, SHORT, until } from "./support/running.ts";

test("the page shows the commit that runs, its logs, and no secret that the agent responds with, also after a restart", () =>
  withTemporaryFolder(async (folder) => {
    const options = {
      dataFile: join(folder, "emulator.db"),
      run: { ...SHORT, workDir: join(folder, "work") },
    };
    const { path, git } = createRepository(join(folder, "repository"));
    const { id } = await withEmulator(options, async (emulator) => {
      const secrets = [{ name: "KEY", value: "canary-1" }];
      const created = await create(emulator, runRequest(path, { secrets }));
      await endOf(emulator, created.id, created.latest);
      await endOf(emulator, created.id, await deployRef(emulator, created.id, "nowhere"));
      return created;
    });

    const html = await withEmulator(options, async (emulator) => {
      const page = await openPage(emulator);
      const ask = async () => {
        await page.submit(`/page/deployments/${id}/ask`, { graph: "", path: "/", input: "" });
        return (await page.get(`/page/deployments/${id}`)).html;
      };
      return await until(ask, (shown) => textsOf(shown, "summary")[0]?.startsWith("/ 200") ?? false);
    });

    expect(textOf(html)).toContain('"KEY": "***"');
    expect(html).not.toContain("canary");
    const [newest = "", live = ""] = html
      .split("<article")
      .slice(1)
      .map((part) => textOf(`<${part}`));
    expect(newest).toMatch(/BUILD_FAILED .*nowhere.* Build log .*nowhere/);
    expect(live).toContain(`commit ${git("rev-parse", "HEAD").slice(0, 10)}`);
    expect(live).toMatch(/DEPLOYED live .*BUILDING \d+ m?s DEPLOYING \d+ m?s/);
  }));
