// Revisions that are really built and started.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { startEmulator } from "../../index.ts";
import { call, create, deploymentIn } from "../support/client.ts";
import { imageRequest, readRevision } from "../support/langsmith.ts";
import { deployFiles } from "./support/deploy-files.ts";
import { isAlive, processesIn } from "./support/processes.ts";
import { agentFile, createRepository } from "./support/repository.ts";
import {
  askAgent,
  createLive,
  deploy,
  endOf,
  langsmithRunRequest,
  readDeployment,
  runRequest,
  until,
  withRunning,
} from "./support/running.ts";

test("a revision is built and started with its secrets, and the next one takes over its URL and its process ends", () =>
  withRunning({}, async (emulator, folder) => {
    const repository = createRepository(join(folder, "repository"));
    const secrets = [
      { name: "GREETING", value: "hello there" },
      { name: "PORT", value: "1" },
    ];
    const { id, latest, url, status } = await createLive(emulator, runRequest(repository.path, { secrets }));

    expect(status).toBe("DEPLOYED");
    const first = await askAgent(url);
    expect(first).toMatchObject({ version: "1", revision: latest, env: { GREETING: "hello there" } });
    expect(first.env.PORT).not.toBe("1");

    repository.commit({ "agent.mjs": agentFile("2") });
    const second = await deploy(emulator, id);
    expect(await endOf(emulator, id, second)).toBe("DEPLOYED");
    expect(await askAgent(url)).toMatchObject({ version: "2", revision: second });
    expect(await readDeployment(emulator, id)).toEqual({ url, active_revision_id: second });
    await until(
      () => isAlive(first.pid),
      (alive) => !alive,
    );
  }));

/** What an agent reads from a file in its folder. */
async function readFromAgent(url: string | null, file: string): Promise<string> {
  return await (await fetch(`${url}/read/${file}`)).text();
}

test("a build gets what a program needs of the environment but neither secrets nor anything else", () =>
  withRunning(
    { run: { buildCommand: "env > env; npm config get loglevel > level" } },
    async (emulator, folder) => {
      // The second is set under `npm run --silent`.
      Object.assign(process.env, { UNRELATED_VARIABLE: "canary", npm_config_loglevel: "silent" });
      const { path } = createRepository(join(folder, "repository"));
      const secrets = [{ name: "GREETING", value: "hello there" }];

      const { url, status } = await createLive(emulator, runRequest(path, { secrets })).finally(() => {
        delete process.env.UNRELATED_VARIABLE;
        delete process.env.npm_config_loglevel;
      });

      expect(status).toBe("DEPLOYED");
      const built = await readFromAgent(url, "env");
      expect(built).toContain("PATH=");
      expect(built).not.toMatch(/GREETING|hello there|UNRELATED|canary/);
      expect((await askAgent(url)).env).not.toHaveProperty("UNRELATED_VARIABLE");
      expect(await readFromAgent(url, "level")).toBe("notice\n");
    },
  ));

test("a revision that fails says why, keeps its log without secrets, and leaves the one before alive", () =>
  withRunning({ platform: "langsmith", run: { buildCommand: "sh build.sh" } }, async (emulator, folder) => {
    const repository = createRepository(join(folder, "repository"));
    repository.commit({ "build.sh": "" });
    const request = langsmithRunRequest(repository.path, {
      secrets: [{ name: "KEY", value: "first line\nsecond line" }],
    });
    const { id, latest, url } = await createLive(emulator, request);

    repository.commit({ "build.sh": "echo 'at second line of the build'; echo 'no compiler' >&2; exit 7" });
    const unbuilt = await deploy(emulator, id);
    await endOf(emulator, id, unbuilt);
    const commit = repository.commit({
      "build.sh": "",
      "agent.mjs": "console.log('first line'); console.log(import.meta.url); process.exit(4)",
    });
    const unstarted = await deploy(emulator, id);
    await endOf(emulator, id, unstarted);

    expect(await readRevision(emulator, id, unbuilt)).toMatchObject({
      status: "BUILD_FAILED",
      status_message: "The build command ended with code 7: sh build.sh",
    });
    expect(await readRevision(emulator, id, unstarted)).toMatchObject({
      status: "DEPLOY_FAILED",
      status_message: "The agent ended with code 4 before it was ready.",
      source_revision_config: { repo_commit_sha: commit },
    });
    const logOf = async (revision: string, type: string) =>
      JSON.stringify(
        (await call(emulator, `GET /v2/deployments/${id}/revisions/${revision}/logs?type=${type}`)).body,
      );
    const buildLog = await logOf(unbuilt, "build");
    expect(buildLog).toMatch(/at \*\*\* of the build.*no compiler/);
    // What stands on the standard error may be no error.
    expect(buildLog).toMatch(/"level":"INFO","message":"no compiler"/);
    expect(buildLog.match(/"level":"ERROR"/g)).toHaveLength(1);
    expect(buildLog).toMatch(/"level":"ERROR","message":"The build command ended with code 7/);
    const deployLog = await logOf(unstarted, "deploy");
    expect(deployLog).toContain('"***"');
    expect(deployLog).toContain('"file:///deps/app/agent.mjs"');
    expect((await askAgent(url)).revision).toBe(latest);
    expect((await readDeployment(emulator, id)).active_revision_id).toBe(latest);
  }));

test("an agent that never listens, leaves its work to another process or ignores SIGTERM fails and leaves nothing behind", () =>
  withRunning(
    { platform: "langsmith", run: { startCommand: "sh start.sh", readySeconds: 1, graceMs: 200 } },
    async (emulator, folder) => {
      const repository = createRepository(join(folder, "repository"));
      const scripts = {
        silent: "exec sleep 1000",
        syntax: `printf '\\033[31mSyntaxError: Unexpected token\\033[39m\\n    at x\\n'; exec sleep 1000`,
        forks: "sleep 1000 &",
        stubborn: "trap '' TERM; sleep 1000; sleep 1000",
      };
      for (const [branch, script] of Object.entries(scripts))
        repository.commit({ "start.sh": script }, branch);

      const messages = await Promise.all(
        Object.keys(scripts).map(async (branch) => {
          const request = langsmithRunRequest(repository.path, { ref: branch });
          const { id, latest } = await create(emulator, request);
          expect(await endOf(emulator, id, latest)).toBe("DEPLOY_FAILED");
          return (await readRevision(emulator, id, latest)).status_message;
        }),
      );

      expect(messages).toEqual([
        "The agent was not ready within 1 s: it did not respond.",
        "The agent was not ready within 1 s: it did not respond. The last error in its log: SyntaxError: Unexpected token",
        "The agent ended with code 0 before it was ready.",
        "The agent was not ready within 1 s: it did not respond.",
      ]);
      await until(
        () => processesIn(join(folder, "work")),
        (left) => left.length === 0,
      );
    },
  ));

test("an image, a missing ref and an address that git would run as a program end with a reason", () =>
  withRunning({ platform: "langsmith" }, async (emulator, folder) => {
    const { path } = createRepository(join(folder, "repository"));
    const marker = join(folder, "marker");
    const from = (repoUrl: string, ref?: string) => langsmithRunRequest(repoUrl, { ...(ref && { ref }) });
    const cases = [
      [imageRequest(), "CREATE_FAILED", "no images"],
      [from(path, "missing"), "BUILD_FAILED", "couldn't find remote ref refs/heads/missing"],
      [from(path, "--upload-pack=x"), "BUILD_FAILED", "refs/heads/--upload-pack=x"],
      [from(`ext::sh -c 'touch ${marker}'`), "BUILD_FAILED", "repo_url has to be"],
      [from(`--upload-pack=touch ${marker}`), "BUILD_FAILED", "repo_url has to be"],
      [from(join(folder, "nothing")), "BUILD_FAILED", "git fetch failed"],
    ] as const;

    for (const [request, status, reason] of cases) {
      const { id, latest } = await createLive(emulator, request);
      const status_message = expect.stringContaining(reason);
      expect(await readRevision(emulator, id, latest)).toMatchObject({ status, status_message });
    }
    expect(existsSync(marker)).toBe(false);
  }));

test("interrupting ends a build with everything that it started, and the next revision is built", () =>
  withRunning({ platform: "langsmith", run: { buildCommand: "sh build.sh" } }, async (emulator, folder) => {
    const repository = createRepository(join(folder, "repository"));
    const pidFile = join(folder, "pid");
    repository.commit({
      "build.sh": `sleep 1000 & echo $! > ${pidFile}.part; mv ${pidFile}.part ${pidFile}; wait`,
    });
    const request = langsmithRunRequest(repository.path);
    const { id, latest: stuck } = await create(emulator, request);
    await until(() => existsSync(pidFile), Boolean);
    const pid = Number(readFileSync(pidFile, "utf8"));
    repository.commit({ "build.sh": "" });
    const next = await deploy(emulator, id);
    expect((await readRevision(emulator, id, next)).status).toBe("QUEUED");

    const response = await call(emulator, `POST /v2/deployments/${id}/revisions/${stuck}/interrupt`);

    expect(response).toMatchObject({ status: 200, body: { status: "INTERRUPTED" } });
    expect(await endOf(emulator, id, next)).toBe("DEPLOYED");
    expect(isAlive(pid)).toBe(false);
    expect((await readRevision(emulator, id, stuck)).status).toBe("INTERRUPTED");
  }));

test("redeploying runs the earlier commit again, also after a forced push", () =>
  withRunning({ platform: "langsmith" }, async (emulator, folder) => {
    const repository = createRepository(join(folder, "repository"));
    const first = repository.git("rev-parse", "HEAD");
    const request = langsmithRunRequest(repository.path);
    const { id, latest } = await createLive(emulator, request);
    repository.git("commit", "--quiet", "--amend", "--message", "Other");
    for (const version of ["2", "3"]) {
      repository.commit({ "agent.mjs": agentFile(version) });
      await endOf(emulator, id, await deploy(emulator, id));
    }
    const { url } = await readDeployment(emulator, id);
    expect((await askAgent(url)).version).toBe("3");

    await call(emulator, `POST /v2/deployments/${id}/revisions/${latest}/redeploy`);

    const redeployed = emulator.deployments()[0]?.revisions[0]?.id ?? "";
    expect(await endOf(emulator, id, redeployed)).toBe("DEPLOYED");
    expect(await askAgent(url)).toMatchObject({ version: "1", revision: redeployed });
    const { source_revision_config } = await readRevision(emulator, id, redeployed);
    expect(source_revision_config.repo_commit_sha).toBe(first);
    // Those of the live revision and of the one before.
    const work = join(folder, "work", "deployments", id);
    await until(
      () => readdirSync(work).length,
      (folders) => folders === 2,
    );
  }));

test("an uploaded archive is built by its own commands, and redeployed from the same archive", () =>
  withRunning({ platform: "langsmith" }, async (emulator) => {
    const files = { "langgraph.json": "{}", "source.mjs": agentFile("1") };
    const commands = {
      install_command: "mv source.mjs installed.mjs",
      build_command: "mv installed.mjs agent.mjs",
    };

    const { id, latest, status, url } = await deployFiles(emulator, files, {
      path: "langgraph.json",
      commands,
    });
    const again = await call(emulator, `POST /v2/deployments/${id}/revisions/${latest}/redeploy`);

    const second = deploymentIn(again).latest;
    expect([status, await endOf(emulator, id, second)]).toEqual(["DEPLOYED", "DEPLOYED"]);
    expect(await askAgent(url)).toMatchObject({ version: "1", revision: second });
  }));

test("deleting ends the agent and removes its folder, and the name may be used again", () =>
  withRunning({}, async (emulator, folder) => {
    const { path } = createRepository(join(folder, "repository"));
    const request = runRequest(path);
    const { id, url } = await createLive(emulator, request);
    const { pid } = await askAgent(url);

    expect((await call(emulator, `DELETE /v2/deployments/${id}`)).status).toBe(204);

    const again = await create(emulator, request);
    expect(await endOf(emulator, again.id, again.latest)).toBe("DEPLOYED");
    await until(
      () => isAlive(pid) || existsSync(join(folder, "work", "deployments", id)),
      (left) => !left,
    );
    await expect(fetch(`${url}/`)).rejects.toThrow();
  }));

test("an agent that ends or stops listening is started again under the same URL", () =>
  withRunning({}, async (emulator, folder) => {
    const { path } = createRepository(join(folder, "repository"));
    const { id, latest, url } = await createLive(emulator, runRequest(path));
    const pids = [(await askAgent(url)).pid];

    for (const death of ["/exit", "/stop-listening"]) {
      await fetch(url + death).catch(() => {});
      const next = await until(
        () => askAgent(url).catch(() => undefined),
        (agent) => agent !== undefined && !pids.includes(agent.pid),
      );
      pids.push(next?.pid ?? 0);
    }

    expect(pids.map(isAlive)).toEqual([false, false, true]);
    expect((await readDeployment(emulator, id)).active_revision_id).toBe(latest);
  }));

test("the data file is for its owner alone, and a file of the other kind is refused", () =>
  withRunning({}, async (_emulator, folder) => {
    const [runs, simulated] = [join(folder, "runs.db"), join(folder, "simulated.db")];
    await (await startEmulator({ dataFile: runs, run: {} })).close();
    await (await startEmulator({ dataFile: simulated })).close();

    expect(statSync(runs).mode & 0o777).toBe(0o600);
    await expect(startEmulator({ dataFile: runs })).rejects.toThrow("written with --run");
    await expect(startEmulator({ dataFile: simulated, run: {} })).rejects.toThrow("written without --run");
  }));

test.each([
  ["that Git ignores is empty", {}, ""],
  ["that is in the repository stays as it is", { ".env": "A=1" }, "A=1"],
])("the file of variables %s", (_what, files, expected) =>
  withRunning({}, async (emulator, folder) => {
    const repository = createRepository(join(folder, "repository"));
    repository.commit({ "agent.json": '{ "env": ".env" }', ...files });
    const { url } = await createLive(emulator, runRequest(repository.path));

    expect(await readFromAgent(url, ".env")).toBe(expected);
  }),
);
