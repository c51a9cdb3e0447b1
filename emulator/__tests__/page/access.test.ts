// Who may see the emulator's page, and what its responses allow.
import { get } from "node:http";
import { expect, test } from "@jest/globals";
import { call, create } from "../support/client.ts";
import { useEmulator, withEmulator } from "../support/emulator.ts";
import { openPage, textsOf, visit } from "../support/page.ts";

const emulator = await useEmulator({ statusSeconds: 0 });
const paths = ["/", "/page/requests", "/page/usage", "/page/deployments/some-id", "/page/nothing"];

test("the printed address sets a cookie that no script and no other site can use, and leads to the page", async () => {
  const opened = await visit(emulator, emulator.pageUrl ?? "");

  expect(opened.status).toBe(200);
  expect(opened.headers.get("refresh")).toBe("0; url=/");
  const { port } = new URL(emulator.url);
  expect(opened.headers.get("set-cookie")).toMatch(
    new RegExp(`^emulator-page-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
  );
  const page = await openPage(emulator);
  expect(textsOf((await page.get("/")).html, "h1")).toEqual(["Deployments"]);
});

test("without the token every view and every form is 401, whatever key is sent", async () => {
  const { id } = await create(emulator);
  const key = { "X-Api-Key": emulator.apiKey };
  const wrong = { cookie: `emulator-page-${new URL(emulator.url).port}=wrong` };

  for (const path of [...paths, `/page/deployments/${id}`, "/?token=wrong"]) {
    for (const headers of [{}, key, wrong]) {
      const { status, html } = await visit(emulator, path, headers);
      expect([path, status]).toEqual([path, 401]);
      expect(textsOf(html, "h1")[0]).toContain("Open the address that the emulator printed");
      expect(html).not.toContain(id);
    }
  }
  const form = await fetch(`${emulator.url}/page/deployments/${id}/delete`, {
    method: "POST",
    headers: { origin: emulator.url, ...key },
  });
  expect(form.status).toBe(401);
  const events = await visit(emulator, "/", { accept: "text/event-stream" });
  expect(events.status).toBe(401);
  expect(emulator.deployments()).toContainEqual(expect.objectContaining({ id, status: "READY" }));
});

test("a form of another origin, of none, or of another site is 403 and does nothing", async () => {
  const page = await openPage(emulator);
  const { id, latest } = await create(emulator);
  const refused = [
    { origin: "https://attacker.example" },
    { origin: "null" },
    { origin: emulator.url.replace("127.0.0.1", "localhost") },
    { origin: `${emulator.url}0` },
    {},
    { origin: emulator.url, "sec-fetch-site": "cross-site" },
    { origin: emulator.url, "sec-fetch-site": "same-site" },
  ];

  for (const headers of refused) {
    for (const path of ["delete", "ask", `revisions/${latest}/redeploy`, `revisions/${latest}/interrupt`]) {
      expect((await page.post(`/page/deployments/${id}/${path}`, headers)).status).toBe(403);
    }
  }
  const [found] = emulator.deployments().filter((one) => one.id === id);
  expect(found).toMatchObject({ status: "READY", revisions: [{ id: latest }] });
});

test("a request whose Host is another name is 421, even with the cookie", async () => {
  const { cookie } = await openPage(emulator);
  const { port } = new URL(emulator.url);
  const statusFor = (host: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: `${host}:${port}`, cookie, accept: "text/html" };
      get({ host: "127.0.0.1", port, path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject);
    });

  for (const path of ["/", "/page/requests", "/page/style.css"]) {
    expect(await statusFor("attacker.example", path)).toBe(421);
    expect(await statusFor("127.0.0.1.attacker.example", path)).toBe(421);
    expect(await statusFor("localhost", path)).toBe(200);
  }
});

test("every response allows only what comes from the page itself, and is not kept", async () => {
  const page = await openPage(emulator);
  const { id } = await create(emulator);
  const shown = await Promise.all(
    [
      ...paths,
      `/page/deployments/${id}`,
      `/page/deployments/${id}/delete`,
      "/page/script.js",
      "/page/style.css",
    ].map((path) => page.get(path)),
  );

  for (const { headers } of [...shown, await visit(emulator, "/")]) {
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
  for (const { html } of shown.slice(0, paths.length + 2)) {
    expect(html).not.toMatch(
      /<script(?! src="\/page\/script\.js" type="module"><)|<style|\sstyle=|\son\w+=/i,
    );
    expect(html).not.toMatch(/(src|action)="(?!\/(?!\/))|<link [^>]*href="(?!\/page\/)/);
  }
});

test("clients of the API get the 404 of the platform at the address of the page", async () => {
  for (const accept of ["*/*", "application/json", undefined]) {
    const response = await fetch(`${emulator.url}/`, { headers: accept === undefined ? {} : { accept } });
    expect([response.status, await response.json()]).toEqual([404, { detail: "Not Found" }]);
  }
  expect((await call(emulator, "POST /", {}, { accept: "text/html" })).status).toBe(404);
});

test("without the page, and where others could reach it, its addresses are 404", async () => {
  for (const options of [{ page: false }, { host: "0.0.0.0" }]) {
    await withEmulator(options, async (other) => {
      expect(other.pageUrl).toBeUndefined();
      for (const path of paths) {
        const { status, html } = await visit(other, path);
        expect([status, html]).toEqual([404, '{"detail":"Not Found"}']);
      }
    });
  }
});

test("the page is no client: its requests are not logged, and don't use up a fault rule", async () => {
  const page = await openPage(emulator);
  const { id, latest } = await create(emulator);
  emulator.addFault({ kind: "hide_new", where: ["revisions", "revision", "deployments"], reads: 1 });
  emulator.addFault({ kind: "answer", match: { times: 2 }, status: 503 });
  const before = emulator.requests.length;

  const { html } = await page.get(`/page/deployments/${id}`);
  await page.get("/");

  expect(html).toContain(latest);
  expect(emulator.requests).toHaveLength(before);
  expect((await call(emulator, `GET /v2/deployments/${id}`)).status).toBe(503);
});
