import {
  immediate,
  type PreviewScenario,
  type RecordedRun,
  startPreviewScenario,
} from "../../support/preview-scenario.ts";
import { type Inputs, langsmith } from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";

/** What newcomers meet. */
export interface FirstError {
  /** The reason, as a sentence. */
  readonly reason: string;
  readonly provoke: () => Promise<RecordedRun>;
}

type Options = Parameters<typeof startPreviewScenario>[0];

const options = { ...immediate, github: { files: { "agent.json": "{}" } } };
const usual: Inputs = { name: "my-agent", app_config_path: "agent.json" };

/** The run of an action in a scenario of its own. */
function inScenario(run: (scenario: PreviewScenario) => Promise<RecordedRun>, more: Options = {}) {
  return async () => await run(await startPreviewScenario({ ...options, ...more }));
}

/** A deploy with these inputs. */
function deploy(inputs: Inputs, more?: Options) {
  return inScenario(({ run }) => run("deploy", { inputs: { ...usual, ...inputs } }), more);
}

/** A preview of a pull request. */
function preview(pullRequest: Parameters<PreviewScenario["open"]>[0], inputs: Inputs, more?: Options) {
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

/** In the order in which people meet them: the workflow, the platform, GitHub. */
export const firstErrors: readonly FirstError[] = [
  { reason: "The secret does not exist, or its name is misspelled.", provoke: deploy({ api_key: "" }) },
  { reason: "The key is wrong, revoked or expired.", provoke: deploy({ api_key: "wrong-key" }) },
  {
    reason: "The workspace is the wrong one, or the key may not use it.",
    provoke: deploy({ workspace_id: "11111111-1111-4111-8111-111111111111" }),
  },
  {
    reason: "The URL has no `https://`.",
    provoke: deploy({ control_plane_url: "agents.example.com" }),
  },
  {
    reason: "The URL leads to a web page, for example because `/api-host` is missing.",
    provoke: async () => await deploy({ control_plane_url: await notFoundPage() })(),
  },
  {
    reason: "The host does not exist, or the runner cannot reach it.",
    provoke: deploy({ control_plane_url: "https://agents.invalid" }),
  },
  {
    reason: "The file is not in the repository, or not on this branch.",
    provoke: deploy({ app_config_path: "agents.json" }),
  },
  {
    reason: "The platform needs to know how it may read the repository.",
    provoke: deploy({ integration_id: "" }),
  },
  {
    reason: "Without a record on GitHub, the action cannot know what it deployed before.",
    provoke: deploy({ only_if_changed: "true" }),
  },
  {
    reason: "The platform's GitHub app is not installed for this repository.",
    provoke: deploy(langsmith, {
      emulator: { ...immediate.emulator, platform: "langsmith", integrations: [] },
      github: { files: { "langgraph.json": "{}" } },
    }),
  },
  {
    reason: "Another repository has a deployment of this name.",
    provoke: inScenario(async ({ run }) => {
      const other = { repo_url: "https://github.com/octo-org/other", repo_ref: "main" };
      await run("deploy", { inputs: { ...usual, ...other } });
      return await run("deploy", { inputs: usual });
    }),
  },
  {
    reason: "A deployment that the platform does not list holds the name, or a limit of the plan is reached.",
    provoke: inScenario(({ emulator, run }) => {
      const match = { method: "POST", path: "/v2/deployments$", times: "always" } as const;
      emulator.addFault({ kind: "answer", match, status: 409, body: taken });
      return run("deploy", { inputs: usual });
    }),
  },
  {
    reason:
      "An earlier deployment was deleted without `delete_tracing_project: true`. Its traces keep the name.",
    provoke: inScenario(
      async ({ run }) => {
        const inputs = { ...usual, ...langsmith };
        await run("deploy", { inputs });
        await run("delete", { inputs: { name: "my-agent", platform: "langsmith" } });
        return await run("deploy", { inputs });
      },
      {
        emulator: { ...immediate.emulator, platform: "langsmith" },
        github: { files: { "langgraph.json": "{}" } },
      },
    ),
  },
  {
    reason: "The test may find its own question in the response.",
    provoke: deploy({
      dry_run: "true",
      smoke_tests:
        "[{ name: greets, graph: agent, input: { question: Say hello }, expect: { contains: hello } }]",
    }),
  },
  {
    reason: "The workflow's `permissions:` do not allow it. The deployment is fine.",
    provoke: deploy(
      { environment: "production", deployment_type: "prod" },
      { github: { ...options.github, permissions: { deployments: "read" } } },
    ),
  },
  {
    reason: "The same, for the comment of a preview. The preview is fine.",
    provoke: preview(
      {},
      {},
      { github: { ...options.github, permissions: { pull_requests: "read", issues: "none" } } },
    ),
  },
  {
    reason: "The branch is in a fork.",
    provoke: preview({ headRepository: "someone/octo-repo" }, { api_key: "" }),
  },
  {
    reason: "Dependabot opened the pull request.",
    provoke: preview({ login: "dependabot[bot]" }, { api_key: "" }),
  },
  {
    reason: "The preview's workflow starts on another event.",
    provoke: inScenario(({ run }) => run("preview")),
  },
];
