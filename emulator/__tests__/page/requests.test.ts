// The last requests on the emulator's page.
import { expect, test } from "@jest/globals";
import { call, create, createRequest } from "../support/client.ts";
import { useEmulator } from "../support/emulator.ts";
import { openPage, rowsOf, textOf, textsOf } from "../support/page.ts";

const emulator = await useEmulator({ statusSeconds: 0, keepRequests: false, apiKey: "key-canary" });
const page = await openPage(emulator);
const shown = async () => (await page.get("/page/requests")).html;

test("a request is shown with method, path, names of its query, status, time and body", async () => {
  await call(emulator, "GET /v2/deployments?limit=5&name_contains=x");
  await call(emulator, "PATCH /v2/auth/providers/nobody", { name: "<i>x</i>" });

  const html = await shown();

  expect(rowsOf(html).slice(0, 2)).toEqual([
    [
      "PATCH",
      '/v2/auth/providers/nobody { "name": "<i>x</i>" }',
      "404",
      expect.stringMatching(/^\d+ m?s$/),
      "now",
    ],
    ["GET", "/v2/deployments?limit=***&name_contains=***", "200", expect.stringMatching(/^\d+ m?s$/), "now"],
  ]);
  expect(html).not.toContain("<i>");
  expect(textsOf(html, "th")).toEqual(["Method", "Path", "Status", "Took", "When"]);
});

test("no value of a secret, key, token or password is shown, wherever it was sent", async () => {
  const secrets = [
    { name: "KEY", value: "secret-canary" },
    { name: "EMPTY", value: "" },
  ];
  const { id } = await create(emulator, createRequest({ secrets }));
  await call(emulator, `PATCH /v2/deployments/${id}`, {
    source_config: {
      repo_url: "https://user:password-canary@git.example/x",
      custom_url: "https://x/?k=secret-canary",
    },
  });
  await call(emulator, "PATCH /v2/auth/providers/local-provider", { client_secret: "client-canary" });
  await call(emulator, `PATCH /v2/deployments/${id}`, { secrets: { KEY: "shape-canary" } });
  await call(emulator, "POST /v2/deployments", '{"secrets":[{"name":"A","value":"broken-canary"');
  await call(emulator, "GET /uploads/some-id?token=token-canary");
  await call(emulator, "GET /live/x/ok?a=secret-canary&b=secret%2Dcanary&secret-canary");
  await call(emulator, "POST /live/x/runs/wait", { input: "key-canary and secret-canary" });

  const html = await shown();

  expect(html).not.toContain("canary");
  expect(textOf(html)).toContain('{ "name": "KEY", "value": "***" }');
  expect(textOf(html)).toContain('"repo_url": "https://***@git.example/x"');
  expect(textOf(html)).toContain("Not JSON: 47 characters");
  expect(textOf(html)).toContain("/uploads/some-id?token=***");
  expect(textOf(html)).toContain("/live/x/ok?a=***&b=***&***");
  expect(textOf(html)).toContain('"input": "*** and ***"');
});

test("a request that hangs has no response yet, and its body is shown", async () => {
  emulator.addFault({ kind: "hang", match: { method: "PATCH" } });
  const abort = new AbortController();
  const hanging = fetch(`${emulator.url}/v2/deployments/hanging`, {
    method: "PATCH",
    body: '{"a":1}',
    signal: abort.signal,
  }).catch(() => {});

  let row: string[] | undefined;
  while (row?.[1] !== '/v2/deployments/hanging { "a": 1 }') [row] = rowsOf(await shown());

  expect(row.slice(2, 4)).toEqual(["–", "no response"]);
  abort.abort();
  await hanging;
});

test("the last 200 requests are kept, and long bodies are cut", async () => {
  await call(emulator, "POST /v2/deployments", { long: "x".repeat(100_000) });
  const long = await shown();
  for (let number = 1; number <= 205; number += 1) await call(emulator, `GET /v2/number-${number}`);

  const html = await shown();

  expect(long.length).toBeLessThan(50_000);
  const rows = rowsOf(html).map(([, path]) => path);
  expect(rows).toHaveLength(200);
  expect([rows[0], rows.at(-1)]).toEqual(["/v2/number-205", "/v2/number-6"]);
});
