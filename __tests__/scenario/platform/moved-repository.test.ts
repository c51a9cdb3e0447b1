import { expect, test } from "@jest/globals";
import { call, deploymentIn } from "../../../emulator/__tests__/support/client.ts";
import { answer } from "../../support/faults.ts";
import { type PreviewScenario, startPreviewScenario } from "../../support/preview-scenario.ts";
import { defaultCreate, expectError, type Inputs, langsmithCreate, writes } from "../../support/scenario.ts";

const oldUrl = "https://github.com/octo-org/old-name";
const ownUrl = "https://github.com/octo-org/octo-repo";
const inputs: Inputs = { name: "agent" };

/** A deployment that shows the repository's former name. */
async function startMoved(platform: "langsmith" | "standard" = "langsmith") {
  const scenario = await startPreviewScenario({
    emulator: { platform, statusSeconds: 0 },
  });
  const request = {
    ...defaultCreate,
    source_config: { ...defaultCreate.source_config, repo_url: oldUrl },
  };
  const body = platform === "langsmith" ? langsmithCreate(request) : request;
  const { id } = deploymentIn(await call(scenario.emulator, "POST /v2/deployments", body));
  return { ...scenario, id };
}

function redirect({ github }: Pick<PreviewScenario, "github">, location = "/repos/octo-org/octo-repo"): void {
  github.fail(
    answer("^/repos/octo-org/old-name$", 301, { body: {}, times: "always", headers: { location } }),
  );
}

test.each(["name", "deployment_id"])(
  "a repository that GitHub redirects to this one is the same, and repo_url is updated (%s)",
  async (by) => {
    const scenario = await startMoved();
    redirect(scenario);
    const target = by === "name" ? {} : { name: "", deployment_id: scenario.id };

    const run = await scenario.run("deploy", { inputs: { ...inputs, ...target } });

    expect(writes(run.requests).map(({ body }) => body)).toEqual([
      { source_config: { repo_url: ownUrl } },
      { source_revision_config: { repo_ref: "main" } },
    ]);
    expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: scenario.id, created: "false" });
    expect(run.notices).toEqual([expect.stringMatching(new RegExp(`${oldUrl}.*${ownUrl}`))]);
  },
);

test("a dry run shows the new repo_url, and sends nothing", async () => {
  const scenario = await startMoved();
  redirect(scenario);

  const run = await scenario.run("deploy", { inputs: { ...inputs, dry_run: "true" } });

  expect(writes(run.requests)).toEqual([]);
  expect(run.log).toContain(`"repo_url": "${ownUrl}"`);
});

test.each([
  ["does not redirect it", undefined],
  ["redirects it to another repository", "/repos/octo-org/elsewhere"],
  ["redirects it to another host", "https://elsewhere.example/repos/octo-org/octo-repo"],
])("it is another repository if GitHub %s", async (_what, location) => {
  const scenario = await startMoved();
  if (location !== undefined) redirect(scenario, location);

  const run = await scenario.run("deploy", { inputs });

  expect(writes(run.requests)).toEqual([]);
  expectError(run, oldUrl, ownUrl);
});

test("it is another repository if a response without a redirect shows this one", async () => {
  const scenario = await startMoved();
  scenario.github.fail(
    answer("^/repos/octo-org/old-name$", 200, { body: { full_name: "octo-org/octo-repo" }, times: "always" }),
  );

  const run = await scenario.run("deploy", { inputs });

  expect(writes(run.requests)).toEqual([]);
  expectError(run, oldUrl, ownUrl);
});

test.each(["../user", "octo-org/..", "./octo-org", "octo-org/.", "../%2e%2e"])(
  "GitHub is not asked about a repository that it can't have (%s)",
  async (path) => {
    const repoUrl = `https://github.com/${path}`;
    const scenario = await startMoved();
    const [stored] = scenario.emulator.deployments();
    const body = { ...stored, id: scenario.id, source_config: { repo_url: repoUrl } };
    const match = { method: "GET", path: `/v2/deployments/${scenario.id}$` };
    scenario.emulator.addFault(answer(match, 200, { body, times: "always" }));

    const run = await scenario.run("deploy", { inputs });

    expectError(run, repoUrl);
    const asked = run.github.map((request) => request.path);
    const known = asked.filter((one) => one === "/graphql" || one.startsWith("/repos/octo-org/octo-repo"));
    expect(asked).toEqual(known);
  },
);

test("on the standard platform it is another repository, and GitHub is not asked", async () => {
  const scenario = await startMoved("standard");
  redirect(scenario);

  const run = await scenario.run("deploy", { inputs: { name: "agent" } });

  expect(writes(run.requests)).toEqual([]);
  expectError(run, oldUrl);
  expect(run.github.map(({ path }) => path)).not.toContain("/repos/octo-org/old-name");
});
