import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as v from "valibot";
import { CancelledError } from "../../../src/errors.ts";
import { GitHubTransport } from "../../../src/github/transport.ts";
import { listen } from "../../support/listen.ts";
import { recordingContext } from "../../support/recording-context.ts";

const purpose = { what: "writing a record", permission: "a: write" };

let proxy: Server;
const sockets: Socket[] = [];

// The toolkit takes the proxy when it is loaded, which is once in a file.
beforeAll(async () => {
  proxy = createServer((socket) => sockets.push(socket.on("error", () => {})));
  process.env.HTTPS_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
});

afterAll(() => {
  delete process.env.HTTPS_PROXY;
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

test.each(["its time", "a cancel"])(
  "a proxy that says nothing doesn't hold a request beyond %s",
  async (end) => {
    const context = recordingContext({ GITHUB_API_URL: "https://github.invalid" });
    const requestTimeoutMs = end === "a cancel" ? 60_000 : 500;
    const settings = { token: "t", repository: "octo-org/octo-repo", requestTimeoutMs };
    const asked = new GitHubTransport(settings, context).write(purpose, v.unknown(), (octokit, options) =>
      octokit.request("POST /repos/{owner}/{repo}/deployments", { ...options, ref: "main" }),
    );
    if (end === "a cancel")
      void once(proxy, "connection").then(() => context.cancel(new CancelledError("SIGINT")));
    await expect(asked).rejects.toThrow("GitHub: writing a record failed: no answer in time.");
  },
);
