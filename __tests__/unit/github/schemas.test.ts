import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { RecordListSchema } from "../../../src/github/schemas.ts";

const ids = { deployment_id: "d-1", revision_id: "r-1" };
const read = { ...ids, created: false, is_certain: true };

test.each([
  [
    { ...ids, created: true, is_certain: false, follows: "r-0" },
    { ...ids, created: true, is_certain: false, follows: "r-0" },
  ],
  [ids, read],
  [{ ...ids, follows: "" }, read],
  [JSON.stringify(ids), read],
  ["no JSON", undefined],
  [{ ...ids, deployment_id: ".." }, undefined],
  [{ ...ids, revision_id: "." }, undefined],
])("the payload %j of a record is read as %j", (payload, read) => {
  const record = { id: 1, node_id: "n", task: "deploy", created_at: "2026-03-02", creator: null, payload };

  expect(v.parse(RecordListSchema, [record])[0]?.payload).toEqual(read);
});
