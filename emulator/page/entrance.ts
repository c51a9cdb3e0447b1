/** The way to the page: which requests are for it, and the token that opens it. */
import { randomBytes } from "node:crypto";
import type { Emulation } from "../emulation.ts";
import type { Settings } from "../options.ts";
import { RequestHistory } from "./request-history.ts";

export class Entrance {
  readonly history: RequestHistory;
  readonly #token = randomBytes(32).toString("base64url");
  readonly #settings: Settings;
  readonly #emulation: Emulation;
  #page: Promise<(request: Request) => Response | Promise<Response>> | undefined;

  constructor(settings: Settings, emulation: Emulation) {
    this.#settings = settings;
    this.#emulation = emulation;
    this.history = new RequestHistory(emulation.now);
  }

  /** The address that opens the page at the emulator's own address. */
  urlAt(origin: string): string {
    return `${origin}/?token=${this.#token}`;
  }

  /** Clients of the API don't ask for HTML, and get the 404 of the platform. */
  isFor({ method, url, headers }: Request): boolean {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/page/")) return true;
    return (
      method === "GET" && pathname === "/" && /text\/(html|event-stream)/.test(headers.get("accept") ?? "")
    );
  }

  async respond(request: Request): Promise<Response> {
    this.#page ??= this.#load();
    const fetch = await this.#page;
    return await fetch(request);
  }

  /** Loaded only if somebody opens the page: the emulator starts faster without it. */
  async #load() {
    const { createPage } = await import("./page.ts");
    const { agentKey, apiKey, run } = this.#settings;
    const { controlPlane, inspection, usage, dialect, now } = this.#emulation;
    return createPage({
      token: this.#token,
      history: this.history,
      keys: [apiKey, agentKey].filter((key) => key !== undefined),
      agentKey: run === undefined ? agentKey : undefined,
      controlPlane,
      inspection,
      usage,
      dialect,
      now,
    }).fetch;
  }
}
