import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { errorMonitor } from "node:events";
import { ClientRequest } from "node:http";
import { jest } from "@jest/globals";

const created = "http.client.request.created";
/** In milliseconds. Octokit's plugins wait this long in tests: between two requests, and before a retry. */
const maxShortDelayMs = 100;

/**
 * The requests of `node:http` and `node:https` in this process that have begun and are not over, and short delays between
 * them. `fetch` is not counted.
 */
export class RequestsInFlight {
  readonly #requests = new Set<object>();
  readonly #ignoredHosts = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor() {
    subscribe(created, this.#onCreated);
    const setRealTimeout = globalThis.setTimeout;
    jest.spyOn(globalThis, "setTimeout").mockImplementation((callback, delayMs = 0) => {
      if (delayMs > maxShortDelayMs) return setRealTimeout(callback, delayMs);
      const delay = {};
      this.#requests.add(delay);
      const end = () => {
        callback();
        this.#end(delay);
      };
      if (delayMs > 0) return setRealTimeout(end, delayMs);
      // A timer takes a millisecond at least, and Octokit's throttling sets ten of them for each request.
      setImmediate(end);
      return setRealTimeout(() => {}, 0);
    });
  }

  get areOver(): boolean {
    return this.#requests.size === 0;
  }

  /** Resolves as soon as none is in flight. */
  async end(): Promise<void> {
    if (!this.areOver) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Leaves out the requests to a server, such as one that never responds. */
  ignore(url: string): void {
    this.#ignoredHosts.add(new URL(url).host);
  }

  /** Stops counting. Without this the channel, which all test files share, would keep this one in memory. */
  close(): void {
    unsubscribe(created, this.#onCreated);
  }

  #end(one: object): void {
    this.#requests.delete(one);
    if (this.areOver) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  readonly #onCreated = (message: unknown) => {
    const request =
      typeof message === "object" && message !== null && "request" in message && message.request;
    // A tunnel belongs to the request that goes through it, and the package `tunnel` removes all of its listeners.
    if (!(request instanceof ClientRequest) || request.method === "CONNECT") return;
    if (this.#ignoredHosts.has(String(request.getHeader("host")))) return;
    const onEnd = () => this.#end(request);
    this.#requests.add(request);
    request.once("close", onEnd);
    // A request whose tunnel a proxy refused is never closed.
    request.once(errorMonitor, onEnd);
  };
}
