/** A reader of the emulator's page, without a browser. */
import type { Emulator } from "../../index.ts";

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

export interface PageReader {
  readonly cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Shown>;
  /** Sends a form of the page; returns where it leads. */
  submit(path: string, form?: Record<string, string>): Promise<string>;
  post(path: string, headers: Record<string, string>, form?: Record<string, string>): Promise<Shown>;
}

async function request(url: string, options: RequestInit): Promise<Shown> {
  const response = await fetch(url, { redirect: "manual", ...options });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** Requests a path as a browser does. */
export function visit(
  emulator: Emulator,
  path: string,
  headers: Record<string, string> = {},
): Promise<Shown> {
  return request(new URL(path, emulator.url).href, {
    headers: { accept: "text/html,*/*;q=0.8", ...headers },
  });
}

/** Opens the page at its printed address. */
export async function openPage(emulator: Emulator): Promise<PageReader> {
  const opened = await visit(emulator, emulator.pageUrl ?? "");
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
  const post: PageReader["post"] = (path, headers, form = {}) =>
    request(emulator.url + path, {
      method: "POST",
      headers: { accept: "text/html", cookie, ...headers },
      body: new URLSearchParams(form),
    });
  return {
    cookie,
    get: (path, headers) => visit(emulator, path, { cookie, ...headers }),
    post,
    async submit(path, form) {
      const { status, headers, html } = await post(path, { origin: emulator.url }, form);
      if (status !== 303) throw new Error(`the form got ${status}: ${textOf(html)}`);
      return headers.get("location") ?? "";
    },
  };
}

const ENTITIES = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** What a reader sees of a piece of HTML. */
export function textOf(html: string): string {
  const plain = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return Object.entries(ENTITIES)
    .reduce((text, [name, character]) => text.replaceAll(`&${name};`, character), plain)
    .trim();
}

/** The texts of the elements with this name, in order. */
export function textsOf(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`<${name}\\b[^>]*>(.*?)</${name}>`, "gs"))].map(([, inner = ""]) =>
    textOf(inner),
  );
}

/** The cells of the first table, row by row, without the header. */
export function rowsOf(html: string): string[][] {
  const [, body = ""] = /<tbody>(.*?)<\/tbody>/s.exec(html) ?? [];
  return [...body.matchAll(/<tr\b.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd]\b[^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => textOf(cell)),
  );
}
