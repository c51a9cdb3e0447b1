import { answer } from "../../support/faults.ts";
import {
  type Inputs,
  immediate,
  type Scenario,
  type ScenarioOptions,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";
import { inFolder, plainConfig, writeTree } from "../../support/source-tree.ts";
import { startComparison, waitingAt } from "../compare/support.ts";

/** What newcomers meet. */
export interface FirstError {
  /** The heading of its section. Links depend on it, so it stays when the message changes. */
  readonly title: string;
  /** The reason, as a sentence, unless the message says it. */
  readonly reason?: string;
  readonly provoke: () => Promise<ScenarioRun>;
}

export interface ErrorGroup {
  readonly title: string;
  readonly errors: readonly FirstError[];
}

const options = { ...immediate, github: { files: { "agent.json": "{}", "langgraph.json": "{}" } } };
const usual: Inputs = { name: "my-agent", app_config_path: "agent.json" };

/** The run of an action in a scenario of its own. */
function inScenario(run: (scenario: Scenario) => Promise<ScenarioRun>, more: ScenarioOptions = {}) {
  return async () => await run(await startScenario({ ...options, ...more }));
}

/** A deploy with these inputs. */
function deploy(inputs: Inputs, more?: ScenarioOptions) {
  return inScenario(({ run }) => run("deploy", { inputs: { ...usual, ...inputs } }), more);
}

/** A preview of a pull request. */
function preview(pullRequest: Parameters<Scenario["open"]>[0], inputs: Inputs, more?: ScenarioOptions) {
  return inScenario(({ open, preview }) => {
    open(pullRequest);
    return preview("opened", { inputs: { ...usual, name: "", ...inputs } });
  }, more);
}

async function notFoundPage(): Promise<string> {
  return await serve((_request, response) => {
    response.writeHead(404, { "content-type": "text/html" });
    response.end("<html><body>Page not found</body></html>");
  });
}

const taken = { detail: "A deployment with this name already exists." };
const onLangsmith: ScenarioOptions = { ...immediate, platform: "langsmith" };

/** A deploy to platform langsmith, on an emulator with these options. */
function deployToLangsmith(inputs: Inputs, more: ScenarioOptions = {}) {
  return deploy({ app_config_path: "", ...inputs }, { ...onLangsmith, ...more });
}

/** Two deploys to platform langsmith, one after the other, on an emulator with these options. */
function deployTwice(first: Inputs, second: Inputs, more: ScenarioOptions = {}) {
  return inScenario(
    async ({ run }) => {
      await run("deploy", { inputs: { name: "my-agent", ...first } });
      return await run("deploy", { inputs: { name: "my-agent", ...second } });
    },
    { ...onLangsmith, ...more },
  );
}

/** A deploy of the files in a folder of the workspace, after one from the repository if `isDeployed`. */
function deployFrom(workspace: string, { isDeployed = false, path = ".", more = {} } = {}) {
  const inputs = { name: "my-agent", source_path: path, ...more };
  return inScenario(async ({ run }) => {
    if (isDeployed) await run("deploy", { inputs: { name: "my-agent" } });
    return await run("deploy", { inputs, env: { GITHUB_WORKSPACE: workspace } });
  }, onLangsmith)();
}

/** A smoke test that runs this graph. */
function smokeTest(graph: string, expect = ""): string {
  return `- name: greets\n  graph: ${graph}\n  input: { messages: [{ role: user, content: Hello }] }\n  ${expect}`;
}

const workflowErrors: readonly FirstError[] = [
  {
    title: "`api_key` is missing",
    reason: "The secret does not exist, or its name is misspelled.",
    provoke: deploy({ api_key: "" }),
  },
  {
    title: "A value of `secrets` is empty",
    reason: "The secret does not exist in this repository or environment, or its name is misspelled.",
    provoke: deploy({ secrets: "MODEL_API_KEY=" }),
  },
  {
    title: "A name in `secrets` is reserved",
    provoke: deployToLangsmith({ secrets: "LANGSMITH_PROJECT=my-project" }),
  },
  {
    title: "`env_vars` without `secrets`",
    reason: "The platform replaces all variables of the deployment, so its secrets would be lost.",
    provoke: deployTwice({ secrets: "MODEL_API_KEY=a-model-key" }, { env_vars: "APP_ENV=production" }),
  },
  {
    title: "A line of `secrets` has no `=`",
    provoke: deploy({ secrets: "PRIVATE_KEY=-----BEGIN KEY-----\n-----END KEY-----" }),
  },
  {
    title: "The pull request was closed without a merge",
    reason: "The deploy action runs on `pull_request` with the type `closed`, without the condition.",
    provoke: inScenario(({ github, open, run, shut }) => {
      open();
      shut();
      return run("deploy", { ...github.pullRequestRun(7, "closed"), inputs: usual });
    }),
  },
  {
    title: "`build_command` has a character that is not accepted",
    reason:
      "The platform, like its own clients, takes no pipes, redirections, variables or quotes in a command.",
    provoke: deployToLangsmith({ source_path: ".", build_command: "npm run build > build.log" }),
  },
  {
    title: "`image_uri` without `source`",
    provoke: deployToLangsmith({ image_uri: "registry.example.com/my-agent:1" }),
  },
  {
    title: "`source_path` has no files",
    reason: "The job has no `actions/checkout` step before this one.",
    provoke: async () => await inFolder((folder) => deployFrom(folder)),
  },
  {
    title: "`deployment_type` has changed",
    provoke: deployTwice({ deployment_type: "serverless" }, { deployment_type: "dedicated" }),
  },
  {
    title: "The configuration file does not exist",
    provoke: deploy({ app_config_path: "agents.json" }),
  },
  {
    title: "The configuration file is not in the upload",
    reason: "The file is in another folder, or an ignore rule excludes it.",
    provoke: async () =>
      await inFolder(async (folder) => {
        writeTree(folder, { "agent/langgraph.json": plainConfig });
        return await deployFrom(folder);
      }),
  },
  {
    title: "A mistake in `smoke_tests`",
    provoke: deploy({ smoke_tests: smokeTest("agent", "expects: { contains: Paris }") }),
  },
  {
    title: "A smoke test's `graph` is not in the configuration file",
    provoke: async () =>
      await inFolder(async (folder) => {
        writeTree(folder, { "langgraph.json": '{ "graphs": { "agent": "./agent.js:graph" } }' });
        return await deployFrom(folder, { more: { smoke_tests: smokeTest("agnt") } });
      }),
  },
  {
    title: "`integration_id` is missing",
    provoke: deploy({ integration_id: "" }),
  },
];

const accessErrors: readonly FirstError[] = [
  {
    title: "401: the key is refused",
    reason: "The key is wrong, revoked or expired, or belongs to a different region.",
    provoke: deploy({ api_key: "wrong-key" }),
  },
  {
    title: "403: no access to the workspace",
    provoke: deploy({ workspace_id: "11111111-1111-4111-8111-111111111111" }),
  },
  {
    title: "`control_plane_url` is not an https URL",
    provoke: deploy({ control_plane_url: "agents.example.com" }),
  },
  {
    title: "404: a web page instead of the API",
    reason: "The URL leads to a web page, for example because `/api-host` is missing.",
    provoke: async () => await deploy({ control_plane_url: await notFoundPage() })(),
  },
  {
    title: "The connection failed",
    provoke: deploy({ control_plane_url: "https://agents.invalid" }),
  },
  {
    title: "No integration covers the repository",
    reason: "The platform's GitHub app is not installed for this repository.",
    provoke: deployToLangsmith({}, { integrations: [] }),
  },
];

const deploymentErrors: readonly FirstError[] = [
  {
    title: "The deployment does not exist",
    provoke: deploy({ deployment_id: "44444444-4444-4444-8444-444444444444" }),
  },
  {
    title: "The deployment belongs to a different repository",
    provoke: inScenario(async ({ run }) => {
      const other = { repo_url: "https://github.com/octo-org/other", repo_ref: "main" };
      await run("deploy", { inputs: { ...usual, ...other } });
      return await run("deploy", { inputs: usual });
    }),
  },
  {
    title: "The source of a deployment can't change",
    provoke: async () =>
      await inFolder(async (folder) => {
        writeTree(folder, { "langgraph.json": plainConfig });
        return await deployFrom(folder, { isDeployed: true });
      }),
  },
  {
    title: "An update removes a secret",
    provoke: deployTwice(
      { secrets: "MODEL_API_KEY=one-key\nSEARCH_API_KEY=other-key" },
      { secrets: "MODEL_API_KEY=one-key" },
    ),
  },
  {
    title: "409: the name is taken",
    reason: "A deployment that the platform does not list holds the name, or a limit of the plan is reached.",
    provoke: deploy({}, { faults: [answer("POST /v2/deployments$", 409, { body: taken, times: "always" })] }),
  },
  {
    title: "409: a tracing project holds the name",
    reason:
      "An earlier deployment was deleted without `delete_tracing_project: true`. Its traces keep the name.",
    provoke: inScenario(async ({ run }) => {
      const inputs = { name: "my-agent" };
      await run("deploy", { inputs });
      await run("delete", { inputs: { name: "my-agent", platform: "langsmith" } });
      return await run("deploy", { inputs });
    }, onLangsmith),
  },
];

/** A preview of a graph whose node `approve` has another name than in `my-agent`. */
const breakingChange: FirstError = {
  title: "The comparison finds a breaking change",
  reason:
    "The new revision lacks something that threads, callers or clients of the other deployment rely on. [How to remove a node](compare.md#a-node-at-which-threads-are-waiting).",
  provoke: async () => {
    const scenario = await startComparison({ threads: waitingAt("approve") });
    return await scenario.compare();
  },
};

const missingComparison: FirstError = {
  title: "There is no deployment to compare with",
  reason: "`compare_with` names a deployment of a different workspace, or one that does not exist yet.",
  provoke: deployToLangsmith({ compare_with: "production" }),
};

const unreadableComparison: FirstError = {
  title: "401: the agent to compare with refuses the key",
  reason:
    "`agent_headers` is missing, or its key is not one for both agents. In a preview, this is a warning.",
  provoke: deployTwice(
    { name: "production" },
    { compare_with: "production", agent_headers: "X-Api-Key: an-old-key", serving_check: "off" },
    { agentKey: "key-of-the-agent" },
  ),
};

/** Nothing listens there. */
const nobody = "http://127.0.0.1:1";

const unreachableAgent: FirstError = {
  title: "Check: no agent responds at `deployment_url`",
  reason: "The URL is wrong, or the agent is not running.",
  provoke: inScenario(({ run }) =>
    run("check", {
      inputs: { deployment_url: nobody, health_check_path: "/ok", health_check_timeout_seconds: "1" },
    }),
  ),
};

const unreachableCompared: FirstError = {
  title: "Check: no agent responds at `compare_with_url`",
  reason: "The URL is wrong, or that agent is not running.",
  provoke: inScenario(async ({ emulator, existing, run }) => {
    await existing("my-agent");
    const deployment_url = `${emulator.url}/live/my-agent`;
    return await run("check", { inputs: { deployment_url, compare_with_url: nobody } });
  }, onLangsmith),
};

const unknownRevision: FirstError = {
  title: "The revision does not exist",
  reason: "The ID belongs to a different deployment, such as staging, or it is mistyped.",
  provoke: inScenario(async ({ run }) => {
    await run("deploy", { inputs: { name: "my-agent" } });
    return await run("rollback", {
      inputs: { name: "my-agent", revision_id: "33333333-3333-4333-8333-333333333333" },
    });
  }, onLangsmith),
};

const keyError = {
  __error__: { error: "KeyError", message: "'MODEL_API_KEY'\n\nTroubleshooting URL: https://example.com/" },
};

const revisionErrors: readonly FirstError[] = [
  {
    title: "The build failed",
    reason: "The platform could not build the agent. An earlier revision stays live.",
    provoke: deployToLangsmith({}, { failRefs: { main: "BUILD_FAILED" } }),
  },
  {
    title: "The deploy failed",
    reason:
      "The build succeeded, but the agent did not start: a syntax error, a missing variable or package. An earlier revision stays live.",
    provoke: deployToLangsmith({}, { failRefs: { main: "DEPLOY_FAILED" } }),
  },
  {
    title: "`timed_out`",
    reason: "The build takes longer than `timeout_seconds`, or it hangs.",
    provoke: deploy({ timeout_seconds: "60" }, { statusSeconds: 600 }),
  },
  {
    title: "`superseded`",
    reason: "A different run or person deployed at the same time.",
    provoke: deploy({}, { failRefs: { main: "SKIPPED" } }),
  },
  {
    title: "403: the agent requires a key",
    reason: "On LangSmith's cloud, an agent server requires a key for every path except `/ok`.",
    provoke: deployToLangsmith(
      { smoke_tests: smokeTest("agent"), serving_check: "off" },
      { agentKey: "key-of-the-agent" },
    ),
  },
  {
    title: "401: the agent refuses the key",
    reason: "The key in `agent_headers` expired, was revoked, or is of a different region or workspace.",
    provoke: deployToLangsmith(
      { smoke_tests: smokeTest("agent"), serving_check: "off", agent_headers: "X-Api-Key: an-old-key" },
      { agentKey: "key-of-the-agent" },
    ),
  },
  {
    title: "A smoke test got a wrong answer",
    reason: "The agent runs, but its response is not the one that the test expects.",
    provoke: deployToLangsmith({ smoke_tests: smokeTest("agent", "expect: { contains: Paris }") }),
  },
  {
    title: "A smoke test's run fails",
    reason: "The agent responds, but its run ends with an error, often because a variable is missing.",
    provoke: deployToLangsmith(
      { smoke_tests: smokeTest("agent") },
      { faults: [answer("POST ^/live/.*/runs/wait$", 200, { body: keyError, times: "always" })] },
    ),
  },
  {
    title: "A smoke test failed, and the step rolled back",
    reason:
      "With `rollback_on_failure: true`, the step makes the previous revision live again. The step still fails.",
    provoke: inScenario(async ({ emulator, run }) => {
      const inputs = { name: "my-agent", secrets: "MODEL_API_KEY=one-key" };
      await run("deploy", { inputs });
      const body = { messages: [{ type: "ai", content: "Lyon" }] };
      emulator.addFault(answer("POST ^/live/.*/runs/wait$", 200, { body, times: "always" }));
      const smoke_tests = smokeTest("agent", "expect: { contains: Paris }");
      return await run("deploy", { inputs: { ...inputs, smoke_tests, rollback_on_failure: "true" } });
    }, onLangsmith),
  },
  {
    title: "A smoke test failed, and there is nothing to roll back to",
    reason: "It was the first deploy of this name, or no earlier deploy went live.",
    provoke: deployToLangsmith({
      smoke_tests: smokeTest("agent", "expect: { contains: Paris }"),
      rollback_on_failure: "true",
    }),
  },
  {
    title: "A smoke test failed, and so did the rollback",
    reason: "The earlier version did not build or start again. What failed the test is still live.",
    provoke: deployTwice(
      {},
      { smoke_tests: smokeTest("agent", "expect: { contains: Paris }"), rollback_on_failure: "true" },
      { faults: [{ kind: "statuses", redeployed: true, sequence: [{ status: "DEPLOY_FAILED" }] }] },
    ),
  },
  {
    title: "The health check failed",
    reason: "The agent does not respond with a 2xx status at `health_check_path` in time.",
    provoke: deployToLangsmith(
      { health_check_path: "/ok", health_check_timeout_seconds: "30" },
      { faults: [answer("GET ^/live/.*/ok$", 503, { times: "always" })] },
    ),
  },
  {
    title: "A smoke test runs a graph that does not exist",
    reason:
      "`graph` is not one of the `graphs` in the agent's configuration file. With `source_path`, this is found before the deploy.",
    provoke: deployToLangsmith({ smoke_tests: smokeTest("my_graph") }),
  },
  breakingChange,
  missingComparison,
  unreadableComparison,
  unreachableAgent,
  unreachableCompared,
  unknownRevision,
];

const gitHubErrors: readonly FirstError[] = [
  {
    title: "The deployment is not recorded on GitHub",
    reason: "The workflow's `permissions:` do not allow it. The deployment is fine.",
    provoke: deploy(
      { environment: "production", deployment_type: "prod" },
      { github: { ...options.github, permissions: { deployments: "read" } } },
    ),
  },
  {
    title: "The preview has no comment",
    reason: "The workflow's `permissions:` do not allow the comment. The preview itself is fine.",
    provoke: preview(
      {},
      {},
      { github: { ...options.github, permissions: { pull_requests: "read", issues: "none" } } },
    ),
  },
  {
    title: "No preview for a fork",
    reason:
      "The code of a fork would run with your secrets. [compare-pull-request.yml](workflows/compare-pull-request.yml) needs none.",
    provoke: preview({ headRepository: "someone/octo-repo" }, { api_key: "" }),
  },
  {
    title: "No preview for Dependabot",
    provoke: preview({ login: "dependabot[bot]" }, { api_key: "" }),
  },
  {
    title: "The preview runs on the wrong event",
    provoke: inScenario(({ run }) => run("preview")),
  },
];

/** In the order in which people meet them. */
export const errorGroups: readonly ErrorGroup[] = [
  { title: "The workflow", errors: workflowErrors },
  { title: "Connection and access", errors: accessErrors },
  { title: "The deployment", errors: deploymentErrors },
  { title: "The revision and its checks", errors: revisionErrors },
  { title: "GitHub and previews", errors: gitHubErrors },
];
