import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { errorMonitor } from "node:events";
import { ClientRequest } from "node:http";
import { jest } from "@jest/globals";

/** In milliseconds. Octokit's plugins wait this long in tests: between two requests, and before a retry. */
const maxShortDelayMs = 100;

/**
 * The requests of `node:http`, `undici` and `fetch` in this process that have begun and are not over, and short delays
 * between them.
 */
export class RequestsInFlight {
  readonly #requests = new Set<object>();
  readonly #ignoredHosts = new Set<string>();
  readonly #timers: jest.SpiedFunction<typeof setTimeout>;
  #waiting: (() => void)[] = [];

  constructor() {
    for (const [channel, listener] of Object.entries(this.#listeners)) subscribe(channel, listener);
    const setRealTimeout = globalThis.setTimeout;
    this.#timers = jest.spyOn(globalThis, "setTimeout");
    this.#timers.mockImplementation((callback, delayMs = 0, ...args) => {
      if (delayMs > maxShortDelayMs) return setRealTimeout(callback, delayMs, ...args);
      const delay = {};
      this.#requests.add(delay);
      const end = () => {
        callback(...args);
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

  /** Stops counting. Without this the channels, which all test files share, would keep this one in memory. */
  close(): void {
    this.#timers.mockRestore();
    for (const [channel, listener] of Object.entries(this.#listeners)) unsubscribe(channel, listener);
  }

  #end(one: object): void {
    this.#requests.delete(one);
    if (this.areOver) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  readonly #onNodeRequest = (message: unknown) => {
    const request = requestOf(message);
    // A tunnel belongs to the request that goes through it, and the package `tunnel` removes all of its listeners.
    if (!(request instanceof ClientRequest) || request.method === "CONNECT") return;
    if (this.#ignoredHosts.has(String(request.getHeader("host")))) return;
    const onEnd = () => this.#end(request);
    this.#requests.add(request);
    request.once("close", onEnd);
    // A request whose tunnel a proxy refused is never closed.
    request.once(errorMonitor, onEnd);
  };

  readonly #onUndiciRequest = (message: unknown) => {
    const request = requestOf(message);
    if (request === undefined || !("origin" in request && "method" in request)) return;
    if (request.method === "CONNECT" || this.#ignoredHosts.has(new URL(String(request.origin)).host)) return;
    this.#requests.add(request);
  };

  readonly #onUndiciEnd = (message: unknown) => {
    const request = requestOf(message);
    if (request !== undefined) this.#end(request);
  };

  /** By the channels of Node (https://nodejs.org/api/diagnostics_channel.html#http) and undici (https://undici.nodejs.org/#/docs/api/DiagnosticsChannel). */
  readonly #listeners = {
    "http.client.request.created": this.#onNodeRequest,
    "undici:request:create": this.#onUndiciRequest,
    "undici:request:trailers": this.#onUndiciEnd,
    "undici:request:error": this.#onUndiciEnd,
  };
}

function requestOf(message: unknown): object | undefined {
  const request =
    typeof message === "object" && message !== null && "request" in message ? message.request : undefined;
  return typeof request === "object" && request !== null ? request : undefined;
}
