/** The ports of agents and of the proxies before them, on the loopback. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { ReverseProxy, type ReverseProxyOptions } from "./reverse-proxy.ts";

/**
 * Below the ports that systems give to whoever asks for any: between two runs of the emulator, or until an agent has read
 * its files and listens, one of those may belong to another program, or to a connection. https://www.rfc-editor.org/rfc/rfc6335#section-6
 */
const [MIN_PORT, MAX_PORT] = [20_000, 32_767];
const MAX_ATTEMPTS = 50;

async function withSomePort<T>(use: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await use(randomInt(MIN_PORT, MAX_PORT + 1));
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  return await withSomePort(async (port) => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return port;
  });
}

/**
 * Opens the port that a deployment has, or any port that it can keep.
 * @throws the error of the server, such as EADDRINUSE
 */
export async function openReverseProxy(
  port: number | undefined,
  options: ReverseProxyOptions,
): Promise<ReverseProxy> {
  if (port !== undefined) return await ReverseProxy.open(port, options);
  return await withSomePort((any) => ReverseProxy.open(any, options));
}
