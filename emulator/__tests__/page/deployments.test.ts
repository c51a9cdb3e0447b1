// What the page shows of deployments and their revisions, and what its buttons do.
import { expect, test } from "@jest/globals";
import { call, createRequest as createStandardRequest, deployRef, statusOf } from "../support/client.ts";
import { useEmulator, withEmulator } from "../support/emulator.ts";
import { create, createRequest } from "../support/langsmith.ts";
import { openPage, rowsOf, textOf, textsOf } from "../support/page.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const emulator = await useEmulator({
  platform: "langsmith",
  failRefs: { broken: "BUILD_FAILED" },
  commits: { main: SHA },
});
const standard = await useEmulator();
const page = await openPage(emulator);

test("the list has a row for each deployment: status, live revision, since when, and the URL as a link", async () => {
  const request = createRequest();
  const { latest } = await create(emulator, request);
  const { name } = request;
  const rowOf = async () => rowsOf((await page.get("/")).html).find(([first]) => first === name);

  expect(await rowOf()).toEqual([name, "CREATING", "none", "", ""]);
  emulator.pass(3.5);
  expect(await rowOf()).toEqual([name, "BUILDING", "none", "", ""]);
  emulator.pass(2.5 + 90);
  expect(await rowOf()).toEqual([
    ...[name, "DEPLOYED", latest.slice(0, 8), "1 min ago", `${emulator.url}/live/${name}`],
  ]);
  expect((await page.get("/")).html).toContain(`<a href="${emulator.url}/live/${name}"`);
});

test("a deployment shows its revisions, the newest first, with source, commit, durations, reason and log", async () => {
  const { id, latest } = await create(
    emulator,
    createRequest({ secrets: [{ name: "KEY", value: "canary-1" }] }),
  );
  emulator.pass(10);
  const failed = await deployRef(emulator, id, "broken");
  emulator.pass(10);

  const { html } = await page.get(`/page/deployments/${id}`);

  const [newest = "", oldest = ""] = html
    .split("<article")
    .slice(1)
    .map((part) => textOf(`<${part}`));
  expect(newest).toMatch(new RegExp(`^${failed.slice(0, 8)} BUILD_FAILED .*Redeploy .*github broken`));
  expect(newest).toContain("CREATING 1 s QUEUED 1 s AWAITING_BUILD 1 s BUILDING 1 s");
  expect(newest).toContain("The image could not be built: installing the dependencies ended with code 1.");
  expect(newest).toMatch(/Build log .*Installing dependencies/);
  expect(oldest).toMatch(new RegExp(`^${latest.slice(0, 8)} DEPLOYED live .*github main commit 0123456789`));
  expect(oldest).toContain("DEPLOYING 1 s");
  expect(oldest).toMatch(/Server log .*The server is healthy/);
  expect(textOf(html)).toContain(`BUILD_FAILED live: ${latest.slice(0, 8)}`);
  expect(textsOf(html, "h2")).toEqual(["Ask the agent", "Revisions"]);
  expect(textOf(html)).toContain("Secrets KEY");
  expect(html).not.toContain("canary");
});

test("a deployment without a revision and one that is being deleted show that", async () => {
  const request = createRequest({ source: "internal_source", source_config: {}, source_revision_config: {} });
  const uploaded = { ...request, source_config: {}, source_revision_config: {} };
  const { body } = await call(emulator, "POST /v2/deployments", uploaded);
  const id = JSON.stringify(body).replace(/^.*?"id":"([^"]+)".*$/, "$1");
  emulator.addFault({ kind: "slow_delete", seconds: 60 });

  expect(textOf((await page.get(`/page/deployments/${id}`)).html)).toContain(
    "There is none before a source is uploaded.",
  );
  expect(await page.submit(`/page/deployments/${id}/delete`)).toBe("/");

  const { html } = await page.get(`/page/deployments/${id}`);
  expect(textOf(html)).toContain("AWAITING_DELETE");
  expect(textsOf(html, "button")).toEqual([]);
  emulator.pass(61);
  const gone = await page.get(`/page/deployments/${id}`);
  expect(gone.status).toBe(404);
  expect(textsOf(gone.html, "h1")).toEqual(["There is no such deployment, or no longer."]);
});

test.each([
  ["langsmith", emulator, createRequest],
  ["standard", standard, createStandardRequest],
])(
  "in the dialect %s a pending revision can be interrupted, and one that has ended redeployed",
  async (_, emulator, request) => {
    const page = await openPage(emulator);
    const { id, latest } = await create(emulator, request());
    emulator.pass(3);
    const path = `/page/deployments/${id}`;

    expect(textsOf((await page.get(path)).html, "button")).toContain(`Interrupt ${latest.slice(0, 8)}`);
    expect(await page.submit(`${path}/revisions/${latest}/interrupt`)).toBe(path);
    expect(await statusOf(emulator, id, latest)).toBe("INTERRUPTED");
    expect(textsOf((await page.get(path)).html, "button")).toContain(`Redeploy ${latest.slice(0, 8)}`);
    expect(await page.submit(`${path}/revisions/${latest}/redeploy`)).toBe(path);

    const [found] = emulator.deployments().filter((one) => one.id === id);
    expect(found?.revisions.map(({ status }) => status)).toEqual(["CREATING", "INTERRUPTED"]);
    const late = await page.post(`${path}/revisions/${latest}/interrupt`, { origin: emulator.url });
    expect([late.status, textsOf(late.html, "h1")]).toEqual([
      400,
      [`Revision ${latest} is INTERRUPTED and can't be interrupted.`],
    ]);
  },
);

test("delete asks first, and frees the name only if that is chosen", async () => {
  for (const isFreed of [false, true]) {
    const request = createRequest();
    const { id } = await create(emulator, request);
    const link = `/page/deployments/${id}/delete`;
    expect((await page.get(`/page/deployments/${id}`)).html).toContain(`href="${link}"`);

    const { html } = await page.get(link);
    expect(textsOf(html, "h1")).toEqual([`Delete ${request.name} ?`]);
    expect(textsOf(html, "button")).toEqual([`Delete ${request.name}`]);
    expect(emulator.deployments()).toContainEqual(expect.objectContaining({ id }));
    expect(await page.submit(link, isFreed ? { delete_tracing_project: "true" } : {})).toBe("/");

    expect(emulator.deployments()).not.toContainEqual(expect.objectContaining({ id }));
    const again = await call(emulator, "POST /v2/deployments", request);
    expect(again.status).toBe(isFreed ? 201 : 409);
  }
});

test("hostile names, refs, repositories and logs stay text, and no address but one of the web becomes a link", () =>
  withEmulator({ statusSeconds: 0 }, async (other) => {
    const reader = await openPage(other);
    const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
    other.addFault({ kind: "logs", type: "build", lines: [hostile, { message: { hostile } }, 7, null] });
    const { body } = await call(other, "POST /v2/deployments", {
      name: hostile,
      source: "github",
      source_config: {
        integration_id: "integration",
        repo_url: "https://user:canary@git.example/x",
        deployment_type: "dev",
        build_on_push: false,
        custom_url: "javascript:alert(3)",
        resource_spec: null,
      },
      source_revision_config: { repo_ref: hostile, app_config_path: hostile, image_uri: null },
      secrets: [{ name: hostile, value: "canary" }],
    });
    const id = JSON.stringify(body).replace(/^.*?"id":"([^"]+)".*$/, "$1");

    for (const path of ["/", `/page/deployments/${id}`, `/page/deployments/${id}/delete`]) {
      const { html } = await reader.get(path);
      expect(textOf(html)).toContain(hostile);
      expect(html).not.toMatch(/<script>|<img|onerror=(?!&)|href="javascript:|canary/);
    }
    const { html } = await reader.get(`/page/deployments/${id}`);
    expect(html).toContain('href="https://git.example/x"');
    expect(html).toContain("&quot;&gt;&lt;script&gt;alert(1)");
  }));

test("of 200 deployments 50 are on a page, and a name finds one", () =>
  withEmulator({ statusSeconds: 0, platform: "langsmith" }, async (many) => {
    const reader = await openPage(many);
    for (let number = 1; number <= 200; number += 1) {
      await create(many, createRequest({ name: `preview-${number}` }));
    }

    const first = (await reader.get("/")).html;
    const last = (await reader.get("/?offset=150")).html;
    const found = (await reader.get("/?name=preview-117")).html;

    expect(rowsOf(first).map(([name]) => name)).toHaveLength(50);
    expect(rowsOf(first)[0]?.[0]).toBe("preview-200");
    expect(textOf(first)).toContain("1–50 of 200 Next page");
    expect(rowsOf(last).at(-1)?.[0]).toBe("preview-1");
    expect(textOf(last)).toContain("First page 151–200 of 200");
    expect(rowsOf(found).map(([name]) => name)).toEqual(["preview-117"]);
  }));

test("of a log of 10,000 lines the last 200 are shown, and all of them as text without control sequences", async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `\u001b[31mline ${index + 1}\u001b[0m`);
  emulator.addFault({ kind: "logs", type: "deploy", lines });
  const { id, latest } = await create(emulator);

  const { html } = await page.get(`/page/deployments/${id}`);
  const whole = await page.get(`/page/deployments/${id}/revisions/${latest}/deploy.log`);

  expect(html.match(/>line \d+\n/g)).toHaveLength(200);
  expect(html).toContain(">line 10000\n");
  expect(textOf(html)).toContain("The last 200 lines.");
  expect(whole.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(whole.html.trimEnd().split("\n")).toEqual(lines.map((_, index) => `line ${index + 1}`));
});

test("a view is sent again whenever it has changed, from the creation to the end of the deployment", async () => {
  const { id } = await create(emulator);
  const response = await fetch(`${emulator.url}/page/deployments/${id}`, {
    headers: { accept: "text/event-stream", cookie: page.cookie },
  });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  const events = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = "";
  const until = async (text: string) => {
    received = "";
    while (!received.includes(text)) received += (await events?.read())?.value ?? "";
  };

  await until("CREATING");
  for (const status of ["QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"]) {
    emulator.pass(1);
    await until(`>${status}</span>`);
  }
  await call(emulator, `DELETE /v2/deployments/${id}`);
  await until("There is no such deployment, or no longer.");
  await events?.cancel();
});
