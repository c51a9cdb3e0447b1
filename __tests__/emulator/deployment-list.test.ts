import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { type Answer, call, complaints, create, withEmulator } from "./support/client.ts";

const ListSchema = v.strictObject({
  resources: v.array(v.looseObject({ name: v.string() })),
  offset: v.number(),
});

function pageIn({ body }: Answer): { names: string[]; offset: number } {
  const { resources, offset } = v.parse(ListSchema, body);
  return { names: resources.map(({ name }) => name), offset };
}

test("pages hold 20 unless told, and tell the next page's offset", () =>
  withEmulator({}, async (emulator) => {
    const names = Array.from({ length: 45 }, (_, number) => `agent-${number}`);
    for (const name of names) await create(emulator, { name });

    const first = pageIn(await call(emulator, "GET /v2/deployments"));
    expect(first).toEqual({ names: names.slice(0, 20), offset: 20 });
    const last = pageIn(await call(emulator, "GET /v2/deployments?limit=20&offset=40"));
    expect(last).toEqual({ names: names.slice(40), offset: 45 });
    const beyond = pageIn(await call(emulator, "GET /v2/deployments?offset=45"));
    expect(beyond).toEqual({ names: [], offset: 45 });
    const all = pageIn(await call(emulator, "GET /v2/deployments?limit=100"));
    expect(all.names).toEqual(names);
  }));

test("name_contains filters by a part of the name, taken literally", () =>
  withEmulator({}, async (emulator) => {
    for (const name of ["pr-1", "my-pr-12", "pr_1", "other", "PR-1"]) await create(emulator, { name });
    const named = async (text: string) =>
      pageIn(await call(emulator, `GET /v2/deployments?name_contains=${encodeURIComponent(text)}`)).names;

    expect(await named("pr-1")).toEqual(["pr-1", "my-pr-12"]);
    expect(await named("%")).toEqual([]);
    expect(await named("")).toHaveLength(5);
  }));

test("the list shows deployments as a read of one does", () =>
  withEmulator({ statusSeconds: 0 }, async (emulator) => {
    const { id } = await create(emulator, { secrets: [{ name: "A", value: "canary" }] });
    const { body: one } = await call(emulator, `GET /v2/deployments/${id}`);
    const { body: list } = await call(emulator, "GET /v2/deployments");
    expect(list).toEqual({ resources: [one], offset: 1 });
  }));

test.each([
  ["limit=0", ["query.limit"]],
  ["limit=101", ["query.limit"]],
  ["limit=ten&offset=-1", ["query.limit", "query.offset"]],
  ["limit=", ["query.limit"]],
  ["limit=5&limit=6", ["query.limit"]],
  ["name=x&page=2", ["query.name", "query.page"]],
])("the query %s answers 422", (query, places) =>
  withEmulator({}, async (emulator) => {
    expect(complaints(await call(emulator, `GET /v2/deployments?${query}`))).toEqual(places);
  }),
);
