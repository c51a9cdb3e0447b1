// What the emulator's page needs a real browser for. The tests in `page/` read it as somebody without scripts does.

import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { createRepository } from "../run/support/repository.ts";
import { runRequest, withRunning } from "../run/support/running.ts";
import { useBrowser } from "../support/browser.ts";
import {
  call,
  create as createStandard,
  deployRef,
  createRequest as standardRequest,
} from "../support/client.ts";
import { useEmulator, withEmulator } from "../support/emulator.ts";
import { create, createRequest } from "../support/langsmith.ts";

const browser = await useBrowser();
const emulator = await useEmulator({ platform: "langsmith" });

/** Resolves to a check that the document of a page is still the same. */
async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate("document.marked = true");
  return () => page.evaluate<boolean>("document.marked === true");
}

test("a deploy is watched from QUEUED to live without a reload, and what a reader opened and focused stays", async () => {
  const page = await browser.open(emulator);
  const isSameDocument = await markDocument(page);
  const request = createRequest();
  const { id, latest } = await create(emulator, request);
  const row = page.getByRole("row", { name: request.name });

  await row.getByText("CREATING").waitFor();
  emulator.pass(1);
  await row.getByText("QUEUED").waitFor();
  expect(await isSameDocument()).toBe(true);
  await row.getByRole("link", { name: request.name }).click();
  await page.getByRole("heading", { name: request.name }).waitFor();
  const isSameDetail = await markDocument(page);
  await page.getByRole("article").getByText("QUEUED").first().waitFor();
  await page.getByRole("button", { name: "Interrupt" }).focus();
  emulator.pass(2.5);
  await page.getByRole("log", { name: "Build log" }).getByText("Installing dependencies").waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Interrupt");
  await page.getByText("Build log").click();
  emulator.pass(3);
  await page.getByText("live", { exact: true }).nth(1).waitFor();

  expect(await isSameDetail()).toBe(true);
  expect(await page.getByRole("log", { name: "Build log" }).isVisible()).toBe(false);
  expect(await page.getByRole("log", { name: "Server log" }).textContent()).toContain(
    "The server is healthy",
  );
  expect(await page.getByRole("article").textContent()).toContain(latest.slice(0, 8));
  const next = await deployRef(emulator, id, "next");
  await page.locator(`article[id="r-${next}"]`).waitFor();
  expect(await page.getByRole("article").first().getAttribute("id")).toBe(`r-${next}`);
});

test("the agent is asked by keyboard, and its answer stands beside the question", async () => {
  const page = await browser.open(emulator);
  const request = createRequest();
  await create(emulator, request);
  emulator.pass(10);
  await page.getByRole("link", { name: request.name, exact: true }).press("Enter");
  await page
    .getByLabel("Input as JSON")
    .fill('{ "messages": [{ "role": "user", "content": "<b>Anybody?</b>" }] }');
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");

  const answer = page.getByRole("list", { name: "Answers" }).getByRole("listitem");
  await answer.getByText("You said: <b>Anybody?</b>").waitFor();
  expect(await answer.locator("summary").textContent()).toMatch(/agent 200 after \d+ ms/);
});

test("hostile names, refs, logs, answers and requests stay text, also when they arrive live", () =>
  withEmulator({ statusSeconds: 0 }, async (standard) => {
    const hostile = `"><script>alert(1)</script><img src=//attacker.example/x onerror=alert(2)><svg onload=alert(3)>`;
    const pages = await Promise.all(
      ["/", "/page/requests"].map(async (path) => {
        const page = await browser.open(standard);
        await page.goto(standard.url + path);
        return page;
      }),
    );
    standard.addFault({ kind: "logs", type: "build", lines: [hostile] });
    const { id } = await createStandard(
      standard,
      standardRequest({
        name: hostile,
        source_config: { custom_url: "javascript:alert(4)" },
        source_revision_config: { repo_ref: hostile },
        secrets: [{ name: hostile, value: "secret-canary" }],
      }),
    );
    for (const page of pages) await page.getByText(hostile).first().waitFor({ state: "attached" });

    const [page] = pages;
    await page?.goto(`${standard.url}/page/deployments/${id}`);
    await page?.getByText("Build log").click();
    expect(await page?.getByRole("log", { name: "Build log" }).textContent()).toBe(`${hostile}\n`);
    expect(await page?.getByRole("heading", { level: 1 }).textContent()).toBe(hostile);
    expect(await page?.getByRole("link", { name: "javascript" }).count()).toBe(0);
    for (const one of pages) {
      expect(await one.locator("main script, main img, main svg[onload]").count()).toBe(0);
      expect(await one.content()).not.toContain("secret-canary");
    }
  }));

test("a form on another port or another site is refused although the browser is signed in", async () => {
  const { id } = await create(emulator);
  const page = await browser.open(emulator);
  const attacker = createServer((_request, response) => {
    const action = `${emulator.url}/page/deployments/${id}/delete`;
    response.setHeader("content-type", "text/html");
    response.end(`<form method="post" action="${action}"><button>Win</button></form>`);
  }).listen(0, "127.0.0.1");
  await once(attacker, "listening");
  try {
    const address = attacker.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const statuses: (number | undefined)[] = [];
    for (const host of ["127.0.0.1", "localhost"]) {
      const other = await page.context().newPage();
      await other.goto(`http://${host}:${port}/`);
      const answered = other.waitForResponse(/\/delete$/);
      await other.getByRole("button").click();
      statuses.push((await answered).status());
    }

    // Another port is the same site, so the cookie comes along. Of another site it doesn't.
    expect(statuses).toEqual([403, 401]);
    expect(emulator.deployments()).toContainEqual(expect.objectContaining({ id, status: "READY" }));
  } finally {
    attacker.close();
    attacker.closeAllConnections();
  }
});

test("the page of a log of 10,000 lines stays small, and the end of the log is in sight", async () => {
  await withEmulator({ platform: "langsmith", statusSeconds: 0 }, async (other) => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`);
    other.addFault({ kind: "logs", type: "deploy", lines });
    const { id } = await create(other);
    const page = await browser.open(other);
    await page.goto(`${other.url}/page/deployments/${id}`);
    const log = page.getByRole("log", { name: "Server log" });
    await log.waitFor();

    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(400);
    const shown = await log.boundingBox();
    const last = await log.getByText("line 10000").boundingBox();
    expect(last?.y).toBeGreaterThan(shown?.y ?? 0);
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((shown?.y ?? 0) + (shown?.height ?? 0));
  });
});

test("the log of a build is shown while it is written, never more than its last 200 lines", () =>
  withRunning(
    { run: { buildCommand: "for i in $(seq 400); do echo line $i; sleep 0.005; done" } },
    async (running, folder) => {
      const { path } = createRepository(join(folder, "repository"));
      const { id } = await createStandard(running, runRequest(path));
      const page = await browser.open(running);
      await page.goto(`${running.url}/page/deployments/${id}`);
      const isSameDocument = await markDocument(page);
      const log = page.getByRole("log", { name: "Build log" });

      await log
        .getByText(/^line \d+\n$/)
        .first()
        .waitFor();
      expect(await page.getByText("DEPLOYED").count()).toBe(0);
      await log.getByText("line 400").waitFor({ state: "attached" });

      expect(await log.locator("span").count()).toBe(200);
      expect(await log.textContent()).toMatch(/line 398\nline 399\nline 400\n/);
      expect(await isSameDocument()).toBe(true);
      await page.getByText("DEPLOYED").first().waitFor();
    },
  ));

test("every view fits into 360 pixels, in light and in dark", () =>
  withEmulator({ platform: "langsmith", statusSeconds: 0, sampleUsage: true }, async (sampled) => {
    const long = `${"long-".repeat(12)}x`;
    const { id } = await create(
      sampled,
      createRequest({ name: long, source_revision_config: { repo_ref: "r".repeat(200) } }),
    );
    await call(sampled, `GET /v2/deployments?name_contains=${"n".repeat(300)}`);
    const backgrounds = new Set<string>();
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.open(sampled, { colorScheme, viewport: { width: 360, height: 700 } });
      for (const path of [
        "/",
        `/page/deployments/${id}`,
        `/page/deployments/${id}/delete`,
        "/page/requests",
        "/page/usage",
      ]) {
        await page.goto(sampled.url + path);
        expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 360]);
      }
      backgrounds.add(
        await page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor"),
      );
    }
    expect(backgrounds.size).toBe(2);
  }));

test("a tab whose emulator has ended says so", async () => {
  const page = await withEmulator({}, async (ending) => {
    const opened = await browser.open(ending);
    await opened.getByText("live", { exact: true }).waitFor();
    return opened;
  });

  await page.getByRole("status").getByText("The emulator does not respond").waitFor();
});
