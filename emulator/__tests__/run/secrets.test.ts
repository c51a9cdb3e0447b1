// What reasons and logs say of a revision whose secrets or credentials make it fail.
import { get } from "node:http";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { credentialsIn, withoutCredentials } from "../../runner/git-source.ts";
import { call } from "../support/client.ts";
import { readRevision } from "../support/langsmith.ts";
import { createRepository } from "./support/repository.ts";
import { createLive, langsmithRunRequest, withRunning } from "./support/running.ts";

test("the credentials in an address are found, also a token as the user name and an invalid encoding", () => {
  expect(credentialsIn("https://user:pa%ss@git.example/x")).toEqual(["user", "user", "pa%ss", "pa%ss"]);
  expect(credentialsIn("https://ghp_x%41@git.example:99999/x")).toEqual(["ghp_x%41", "ghp_xA", "", ""]);
  expect(credentialsIn("ssh://git@git.example/x")).toEqual(["", "", "", ""]);
  expect(withoutCredentials("https://ghp_x@git.example/x@1")).toBe("https://git.example/x@1");
});

test("a request whose Host is another name is refused: a page may have pointed that name at this machine", () =>
  withRunning({}, async (emulator) => {
    const { port } = new URL(emulator.url);
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get({ host: "127.0.0.1", port, path: "/v2/deployments", headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on("error", reject);
      });

    expect(await statusFor(`attacker.example:${port}`)).toBe(421);
    expect(await statusFor(`localhost:${port}`)).toBe(401);
  }));

test("secrets that no process can get, and credentials that are invalid, fail one revision with a reason without them", async () => {
  const failed: string[] = [];
  const onFailed = (_name: string, reason: string) => void failed.push(reason);
  await withRunning({ platform: "langsmith", onFailed }, async (emulator, folder) => {
    const { path } = createRepository(join(folder, "repository"));
    const deployed = async (name: string, repoUrl: string, secret: string) => {
      const request = langsmithRunRequest(repoUrl, { name, secrets: [{ name: "KEY", value: secret }] });
      const { id, latest } = await createLive(emulator, request);
      const log = await call(emulator, `GET /v2/deployments/${id}/revisions/${latest}/logs?type=build`);
      return { log: JSON.stringify(log.body), revision: await readRevision(emulator, id, latest) };
    };

    const cut = await deployed("cut", path, "canary\0canary");
    const large = await deployed("large", path, "canary".repeat(1_000_000 / 6));
    const unreachable = await deployed("unreachable", "https://ghp_canary:pa%ss@127.0.0.1:1/x", "unused");

    expect(cut.revision).toMatchObject({
      status: "DEPLOY_FAILED",
      status_message: "The secret KEY has a NUL character, which no environment can hold.",
    });
    expect(large.revision).toMatchObject({
      status: "DEPLOY_FAILED",
      status_message: "The secrets are too large for the environment of a process.",
    });
    expect(unreachable.revision).toMatchObject({ status: "BUILD_FAILED" });
    expect(unreachable.log).toContain("Fetching refs/heads/main of https://127.0.0.1:1/x");
    expect(JSON.stringify([cut, large, unreachable])).not.toMatch(/canary|pa%ss/);
    expect(failed).toEqual([cut, large, unreachable].map(({ revision }) => revision.status_message));
  });
});
