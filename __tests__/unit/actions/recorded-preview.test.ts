import { expect, test } from "@jest/globals";
import { previewsOf } from "../../../src/actions/recorded-preview.ts";

const names = { task: "preview:octo-repo-7739a-pr-7", name: "octo-repo-7739a-pr-7" };
const other = { task: "preview:octo-repo-7739a-pr-12", name: "octo-repo-7739a-pr-12" };

/** A record of a preview; `name`: the one in its payload. */
function record(id: number, { task, name }: { task: string; name: string | undefined } = names) {
  const payload = { deployment_id: `deployment-${id}`, revision_id: "r-1", name, pull_request: 7 };
  return { id, nodeId: `node-${id}`, task, createdAt: 0, payload };
}

test("the previews of records are what the newest record of each task describes", () => {
  const records = [record(4), record(3, other), record(2), record(1, other)];
  const [four, three, two, one] = records;

  const previews = previewsOf(records);

  expect(previews).toEqual(
    [
      { ...names, deploymentId: "deployment-4", pullRequest: 7, records: [four, two], newest: four },
      { ...other, deploymentId: "deployment-3", pullRequest: 7, records: [three, one], newest: three },
    ].map(({ task: _, ...preview }) => preview),
  );
});

test.each([
  ["another preview's name", { ...names, name: other.name }],
  ["a name that only starts the same", { ...names, name: `${names.name}0` }],
  ["no name", { ...names, name: undefined }],
  ["the task of the root action", { ...names, task: `deploy:${names.name}` }],
  ["the task of the root action and no name", { task: `deploy:${names.name}`, name: undefined }],
])("a task whose newest record has %s is no preview, whatever earlier ones say", (_what, odd) => {
  const previews = previewsOf([record(4, odd), record(3, other), record(2, { ...names, task: odd.task })]);

  expect(previews.map(({ name }) => name)).toEqual([other.name]);
});
