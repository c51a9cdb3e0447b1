/** A browser for tests of the emulator's page. */
import { afterAll, afterEach, expect } from "@jest/globals";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Emulator } from "../../index.ts";

export interface TestBrowser {
  /** Opens the page at its printed address, in a profile of its own. */
  open(emulator: Emulator, options?: BrowserContextOptions): Promise<Page>;
}

/** One browser for all tests of a file. No page may run a script of somebody else, ask another host, or log an error. */
export async function useBrowser(): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "" });
  const surprises: string[] = [];
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(surprises.splice(0)).toEqual([]);
  });
  return {
    async open(emulator, options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on("dialog", (dialog) => void surprises.push(`dialog ${dialog.message()}`));
      page.on("pageerror", (error) => void surprises.push(`error ${error.message}`));
      page.on("console", (message) => {
        // A test may end its emulator before the browser.
        const isExpected = message.type() !== "error" || message.text().includes("net::ERR_");
        if (!isExpected) surprises.push(`console ${message.text()}`);
      });
      page.on("request", (request) => {
        if (new URL(request.url()).origin !== emulator.url) surprises.push(`request ${request.url()}`);
      });
      await page.goto(emulator.pageUrl ?? "");
      await page.waitForURL(`${emulator.url}/`);
      return page;
    },
  };
}
