import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { wholeFetch } from "../../../src/github/whole-fetch.ts";
import { serve } from "../../support/serve.ts";

const get = wholeFetch(fetch);

test("an answer is passed on with status, headers and text", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(201, { "content-type": "application/json", "x-github-request-id": "1" });
    response.end('{"id": 1}');
  });
  const answer = await get(url);
  expect(answer.status).toBe(201);
  expect(answer.headers.get("x-github-request-id")).toBe("1");
  expect(await answer.text()).toBe('{"id": 1}');
});

test.each([204, 304])("%i has no body", async (status) => {
  const url = await serve((_request, response) => response.writeHead(status).end());
  const answer = await get(url);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toBe("");
});

test("an answer that breaks off is an error, and not an empty one", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("[", () => response.destroy());
  });
  await expect(get(url)).rejects.toThrow();
});

test("a body that takes too long is an error, and not an empty one", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("[");
  });
  await expect(get(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/);
});

test.each([301, 302, 307, 308])(
  "a redirect (%i) on the same host is followed as it was asked",
  async (status) => {
    const url = await serve((request, response) => {
      if (request.url === "/old") response.writeHead(status, { location: "/new" }).end();
      else request.pipe(response.writeHead(200, { "x-asked": `${request.method} ${request.url}` }));
    });
    const answer = await get(`${url}/old`, { method: "POST", body: "text" });
    expect(answer.headers.get("x-asked")).toBe("POST /new");
    expect(await answer.text()).toBe("text");
  },
);

test("a redirect to another host is not followed", async () => {
  const asked: string[] = [];
  const elsewhere = await serve((request, response) => {
    asked.push(request.url ?? "");
    response.end("[]");
  });
  const url = await serve((_request, response) => response.writeHead(302, { location: elsewhere }).end());
  await expect(get(url)).rejects.toThrow("redirect (302) to another host");
  expect(asked).toEqual([]);
});

test.each([undefined, "http://[bad"])("a redirect to nowhere (%p) is an error", async (location) => {
  const url = await serve((_request, response) =>
    response.writeHead(302, location ? { location } : {}).end(),
  );
  await expect(get(url)).rejects.toThrow("redirect (302) without an address");
});

test("redirects in a circle end", async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: "/" }).end();
  });
  await expect(get(url)).rejects.toThrow("redirected more than 3 times");
  expect(asked).toBe(4);
});

test("an answer that is too large once it is unpacked is not read", async () => {
  const packed = gzipSync(Buffer.alloc(10_000_001, " "));
  const url = await serve((_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(packed),
  );
  await expect(get(url)).rejects.toThrow("it answered with more than 10 MB");
  const whole = await serve((_request, response) => response.end("ü".repeat(5_000_000)));
  expect(await (await get(whole)).text()).toHaveLength(5_000_000);
});

test("a part of an answer is none", async () => {
  const url = await serve((_request, response) => response.writeHead(206).end("[]"));
  await expect(get(url)).rejects.toThrow("it answered with a part (206) that wasn't asked for");
});

test("a status that doesn't exist is said to be none", async () => {
  const url = await serve((_request, response) => response.writeHead(999).end("[]"));
  await expect(get(url)).rejects.toThrow("it answered with 999, which is no status");
});
