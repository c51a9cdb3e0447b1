/** The control plane and the usage API of LangSmith's region `us`, at their own addresses, served by an emulator. */
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { generate } from "selfsigned";
import { startProxy } from "../../support/connect-proxy.ts";
import { closeServer, listen } from "../../support/listen.ts";

const hosts = ["api.host.langchain.com", "api.smith.langchain.com"];

export interface VendorCloud {
  /** With these variables, programs reach the emulator at the address. */
  readonly env: Readonly<Record<string, string>>;
  /** The other hosts that programs with these variables wanted to reach, in vain. */
  others(): string[];
  close(): Promise<void>;
}

/** `folder`: where to write a certificate. */
export async function startVendorCloud(emulatorUrl: string, folder: string): Promise<VendorCloud> {
  const { cert, private: key } = await generate([{ name: "commonName", value: "langchain.com" }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: hosts.map((value) => ({ type: 2, value })) }],
  });
  const certificate = join(folder, "vendor-cloud.pem");
  await writeFile(certificate, cert);
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const { method, url } = incoming;
    // With --run, the emulator refuses other hosts than those of the loopback.
    const headers = { ...incoming.headers, host: new URL(emulatorUrl).host };
    const forwarded = request(`${emulatorUrl}${url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on("error", (error) => outgoing.destroy(error));
    incoming.pipe(forwarded);
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  const proxy = await startProxy(Object.fromEntries(hosts.map((host) => [host, address])));
  return {
    env: { HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1", NODE_EXTRA_CA_CERTS: certificate },
    others: () => proxy.tunnels.filter((tunnel) => !hosts.some((host) => tunnel === `${host}:443`)),
    async close() {
      await proxy.close();
      await closeServer(server);
    },
  };
}
