import { createHash } from "node:crypto";
import { type Answer, type Call, errorAnswer, notFound, type Routes } from "./answer.ts";
import { example } from "./description.ts";
import type { Files, Repository } from "./repository.ts";

function blobSha(content: string): string {
  return createHash("sha1")
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest("hex");
}

function entry(call: Call, path: string, type: "file" | "dir", content: string) {
  const url = `${call.repositoryUrl}/contents/${path}`;
  return {
    type,
    size: type === "file" ? Buffer.byteLength(content) : 0,
    name: path.split("/").at(-1),
    path,
    sha: blobSha(type === "file" ? content : path),
    url,
    git_url: url,
    html_url: url,
    download_url: type === "file" ? url : null,
    _links: { self: url, git: url, html: url },
  };
}

/** Files and folders right below `folder` (empty: the root), in order. */
function listing(call: Call, files: Files, folder: string) {
  const prefix = folder === "" ? "" : `${folder}/`;
  const names = Object.keys(files)
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length).split("/"));
  const kinds = new Map(
    names.map(([name = "", ...below]) => [name, below.length > 0 ? "dir" : "file"] as const),
  );
  return [...kinds]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, kind]) => entry(call, prefix + name, kind, files[prefix + name] ?? ""));
}

function contents(repository: Repository, call: Call): Answer {
  const ref = typeof call.query.ref === "string" ? call.query.ref : repository.defaultBranch;
  const sha = repository.resolve(ref);
  if (sha === undefined) {
    return errorAnswer(404, `No commit found for the ref ${ref}`);
  }
  const files = repository.files(sha);
  const path = (call.pathValues.path ?? "").replaceAll(/^\/+|\/+$/gu, "");
  const content = files[path];
  if (content !== undefined) {
    const encoded = Buffer.from(content).toString("base64");
    return {
      status: 200,
      body: { ...entry(call, path, "file", content), encoding: "base64", content: encoded },
    };
  }
  const below = listing(call, files, path);
  return below.length > 0 || path === "" ? { status: 200, body: below } : notFound();
}

function gitRef(repository: Repository, call: Call): Answer {
  const ref = call.pathValues.ref ?? "";
  const sha = repository.target(ref);
  if (sha === undefined) {
    return notFound();
  }
  const url = `${call.repositoryUrl}/git`;
  const object = { type: "commit", sha, url: `${url}/commits/${sha}` };
  return {
    status: 200,
    body: { ...example("git-ref"), ref: `refs/${ref}`, url: `${url}/refs/${ref}`, object },
  };
}

function branch(repository: Repository, call: Call): Answer {
  const name = call.pathValues.branch ?? "";
  const sha = repository.target(`heads/${name}`);
  if (sha === undefined) {
    return errorAnswer(404, "Branch not found");
  }
  const shape = example("branch-get");
  return { status: 200, body: { ...shape, name, commit: { ...Object(shape.commit), sha } } };
}

function commit(repository: Repository, call: Call): Answer {
  const ref = call.pathValues.ref ?? "";
  const sha = repository.resolve(ref);
  if (sha === undefined) {
    return errorAnswer(422, `No commit found for SHA: ${ref}`);
  }
  return { status: 200, body: { ...example("commit"), sha, files: [] } };
}

function repositoryItself(repository: Repository): Answer {
  const { source: _source, parent: _parent, ...shape } = example("full-repository-default-response");
  return {
    status: 200,
    body: {
      ...shape,
      name: repository.name,
      full_name: repository.fullName,
      owner: { ...Object(shape.owner), login: repository.owner },
      default_branch: repository.defaultBranch,
      language: null,
    },
  };
}

/** What can be read of the repository. */
export function repositoryRoutes(repository: Repository): Routes {
  return new Map([
    ["GET /repos/{owner}/{repo}", () => repositoryItself(repository)],
    ["GET /repos/{owner}/{repo}/contents/{path}", (call: Call) => contents(repository, call)],
    ["GET /repos/{owner}/{repo}/git/ref/{ref}", (call: Call) => gitRef(repository, call)],
    ["GET /repos/{owner}/{repo}/branches/{branch}", (call: Call) => branch(repository, call)],
    ["GET /repos/{owner}/{repo}/commits/{ref}", (call: Call) => commit(repository, call)],
  ]);
}
