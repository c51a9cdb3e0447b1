/** The ports of deployments. */
import { randomInt } from "node:crypto";
import { Traffic, type TrafficOptions } from "./traffic.ts";

/**
 * Below the ports that systems give to whoever asks for any: between two runs of the emulator, one of those may belong to
 * another program, or to a connection. https://www.rfc-editor.org/rfc/rfc6335#section-6
 */
const [MIN_PORT, MAX_PORT] = [20_000, 32_767];
const ATTEMPTS = 50;

/**
 * Opens the port that a deployment has, or any port that it can keep.
 * @throws the error of the server, such as EADDRINUSE
 */
export async function openTraffic(port: number | undefined, options: TrafficOptions): Promise<Traffic> {
  if (port !== undefined) return await Traffic.open(port, options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await Traffic.open(randomInt(MIN_PORT, MAX_PORT + 1), options);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
