// Revisions that are really built and started.
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { expect, test } from "@jest/globals";
import { packTar, type TarSource } from "modern-tar/fs";
import { startEmulator } from "../../index.ts";
import { call, create, deploymentIn } from "../support/client.ts";
import { createRequest as langsmithRequest, readRevision } from "../support/langsmith.ts";
import { createFromSource, deployArchive, upload } from "../support/uploads.ts";
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

test("a build gets what a program needs of the environment but neither secrets nor anything else", () =>
  withRunning({ run: { buildCommand: "env > build.env" } }, async (emulator, folder) => {
    process.env.UNRELATED_VARIABLE = "canary";
    const repository = createRepository(join(folder, "repository"));
    const agent = agentFile("1").replace("version:", 'built: readFileSync("build.env", "utf8"), version:');
    repository.commit({ "agent.mjs": `import { readFileSync } from "node:fs";\n${agent}` });
    const secrets = [{ name: "GREETING", value: "hello there" }];

    const { url, status } = await createLive(emulator, runRequest(repository.path, { secrets }));

    expect(status).toBe("DEPLOYED");
    const text = await (await fetch(`${url}/`)).text();
    expect(text).toContain("PATH=");
    expect(JSON.parse(text).built).not.toMatch(/GREETING|hello there|UNRELATED|canary/);
    expect(JSON.parse(text).env).not.toHaveProperty("UNRELATED_VARIABLE");
    delete process.env.UNRELATED_VARIABLE;
  }));

test("a build under npm run --silent has the usual log level of npm", () =>
  withRunning({ run: { buildCommand: "npm config get loglevel > build.env" } }, async (emulator, folder) => {
    const loglevel = process.env.npm_config_loglevel;
    process.env.npm_config_loglevel = "silent";
    const repository = createRepository(join(folder, "repository"));
    const agent = agentFile("1").replace("version:", 'built: readFileSync("build.env", "utf8"), version:');
    repository.commit({ "agent.mjs": `import { readFileSync } from "node:fs";\n${agent}` });

    const { url, status } = await createLive(emulator, runRequest(repository.path));

    expect(status).toBe("DEPLOYED");
    expect(await (await fetch(`${url}/`)).json()).toMatchObject({ built: "notice\n" });
    if (loglevel === undefined) delete process.env.npm_config_loglevel;
    else process.env.npm_config_loglevel = loglevel;
  }));

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
    const ends = await Promise.all(
      [
        {
          source: "external_docker",
          source_config: { resource_spec: {} },
          source_revision_config: { image_uri: "registry.example/agent:1" },
        },
        langsmithRequest({
          source_config: { repo_url: path },
          source_revision_config: { repo_ref: "missing" },
        }),
        langsmithRequest({
          source_config: { repo_url: path },
          source_revision_config: { repo_ref: "--upload-pack=x" },
        }),
        langsmithRequest({ source_config: { repo_url: `ext::sh -c 'touch ${marker}'` } }),
        langsmithRequest({ source_config: { repo_url: `--upload-pack=touch ${marker}` } }),
        langsmithRequest({ source_config: { repo_url: join(folder, "nothing") } }),
      ].map(async (request) => {
        const { id, latest } = await create(emulator, {
          secrets: [],
          ...request,
          name: `a-${crypto.randomUUID()}`,
        });
        await endOf(emulator, id, latest);
        const { status, status_message } = await readRevision(emulator, id, latest);
        return [status, status_message];
      }),
    );

    expect(ends).toEqual([
      ["CREATE_FAILED", expect.stringContaining("no images")],
      ["BUILD_FAILED", expect.stringContaining("couldn't find remote ref refs/heads/missing")],
      ["BUILD_FAILED", expect.stringContaining("refs/heads/--upload-pack=x")],
      ["BUILD_FAILED", expect.stringContaining("repo_url has to be")],
      ["BUILD_FAILED", expect.stringContaining("repo_url has to be")],
      ["BUILD_FAILED", expect.stringContaining("git fetch failed")],
    ]);
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

    const [redeployed] = emulator.deployments()[0]?.revisions ?? [];
    expect(await endOf(emulator, id, String(redeployed?.id))).toBe("DEPLOYED");
    expect(await askAgent(url)).toMatchObject({ version: "1", revision: redeployed?.id });
    expect(
      (await readRevision(emulator, id, String(redeployed?.id))).source_revision_config.repo_commit_sha,
    ).toBe(first);
    // Those of the live revision and of the one before.
    const work = join(folder, "work", "deployments", id);
    await until(
      () => readdirSync(work).length,
      (folders) => folders === 2,
    );
  }));

test("an uploaded archive is built by its own commands, and redeployed from the same archive", () =>
  withRunning({ platform: "langsmith" }, async (emulator, folder) => {
    const archive = join(folder, "archive.tar.gz");
    const entries: TarSource[] = [
      { type: "content", target: "langgraph.json", content: "{}" },
      { type: "content", target: "source.mjs", content: agentFile("1") },
    ];
    await pipeline(packTar(entries), createGzip(), createWriteStream(archive));
    const id = await createFromSource(emulator);
    const path = await upload(emulator, id, readFileSync(archive));
    const commands = {
      install_command: "mv source.mjs installed.mjs",
      build_command: "mv installed.mjs agent.mjs",
    };

    const first = deploymentIn(await deployArchive(emulator, id, path, { source_config: commands })).latest;
    expect(await endOf(emulator, id, first)).toBe("DEPLOYED");
    const again = await call(emulator, `POST /v2/deployments/${id}/revisions/${first}/redeploy`);
    const second = deploymentIn(again).latest;

    expect(await endOf(emulator, id, second)).toBe("DEPLOYED");
    const { url } = await readDeployment(emulator, id);
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
    const agent = agentFile("1").replace(
      "response.end(JSON",
      'if (request.url === "/env") return response.end("env: " + readFileSync(".env"));\n  response.end(JSON',
    );
    const code = `import { readFileSync } from "node:fs";\n${agent}`;
    repository.commit({ "agent.json": '{ "env": ".env" }', "agent.mjs": code, ...files });
    const { url } = await createLive(emulator, runRequest(repository.path));

    expect(await (await fetch(`${url}/env`)).text()).toBe(`env: ${expected}`);
  }),
);
