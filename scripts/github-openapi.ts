// `npm run github-openapi [-- VERSION]`: writes the parts of GitHub's description of its API against which the tests check
// requests (__tests__/support/github/openapi.json). The description is 400 MB on npm, so it is no dependency.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { mustRun, root } from "./support/run.ts";

const Json = v.record(v.string(), v.unknown());
const Manifest = v.object({ name: v.string(), version: v.string() });
const Description = v.object({ paths: v.record(v.string(), Json), components: v.record(v.string(), Json) });

const repository = "/repos/{owner}/{repo}";
/** What an action requests, with its neighbours: a request for one of those is a mistake that is recognized. */
const keptPaths = [
  "/user",
  repository,
  `${repository}/contents/{path}`,
  `${repository}/git/ref/{ref}`,
  `${repository}/deployments`,
  `${repository}/deployments/{deployment_id}`,
  `${repository}/deployments/{deployment_id}/statuses`,
  `${repository}/issues/{issue_number}/comments`,
  `${repository}/issues/comments/{comment_id}`,
  `${repository}/pulls`,
  `${repository}/pulls/{pull_number}`,
];
/** The stand-in's responses are made of these. */
const keptExamples = [
  ...["content-file-response-if-content-is-a-file", "content-file-response-if-content-is-a-directory"],
  ...["deployment", "deployment-status", "git-ref", "issue-comment", "pull-request"],
];

/** Prose and examples, which no request is checked against. */
const proseKeys = ["description", "summary", "examples", "example", "externalDocs", "tags", "x-github"];

/** `isNames`: the keys are names of properties, which may be the same as a keyword. */
function withoutProse(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !proseKeys.includes(key));
  return Object.fromEntries(
    kept.map(([key, part]) => [key, withoutProse(part, key === "properties" && !isNames)]),
  );
}

/** The parts of a description that these paths refer to, directly or through others. */
function extract({ paths, components }: v.InferOutput<typeof Description>): object {
  const kept = new Map<string, unknown>();
  const keep = (value: unknown) => {
    for (const [, place = ""] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (kept.has(place)) continue;
      const [kind = "", name = ""] = place.split("/");
      const part = withoutProse(components[kind]?.[name]);
      kept.set(place, part);
      keep(part);
    }
  };
  const ownPaths = keptPaths.map((path) => {
    const operations = withoutProse(paths[path]);
    if (operations === undefined) throw new Error(`GitHub's description has no path ${path}`);
    keep(operations);
    return [path, operations];
  });
  const examples = keptExamples.map((name) => [name, components.examples?.[name]]);
  const partsOf = (kind: string) =>
    [...kept]
      .filter(([place]) => place.startsWith(`${kind}/`))
      .map(([place, part]) => [place.split("/")[1], part]);
  const kinds = new Set([...kept.keys()].map((place) => place.split("/")[0] ?? ""));
  return {
    paths: Object.fromEntries(ownPaths),
    components: {
      ...Object.fromEntries([...kinds].map((kind) => [kind, Object.fromEntries(partsOf(kind))])),
      examples: Object.fromEntries(examples),
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), "github-openapi-"));
try {
  const wanted = `@octokit/openapi@${process.argv[2] ?? "latest"}`;
  await mustRun("npm", [
    "install",
    "--prefix",
    folder,
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    wanted,
  ]);
  const installed = join(folder, "node_modules", "@octokit", "openapi");
  const read = (path: string): unknown => JSON.parse(readFileSync(join(installed, path), "utf8"));
  const { name, version } = v.parse(Manifest, read("package.json"));
  const parts = extract(v.parse(Description, read("generated/api.github.com.json")));
  const target = join(root, "__tests__", "support", "github", "openapi.json");
  writeFileSync(target, `${JSON.stringify({ madeFrom: `${name} ${version}`, ...parts })}\n`);
  console.log(`Wrote ${target} from ${name} ${version}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
