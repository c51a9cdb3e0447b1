/** Uploads of source archives to the `langsmith` dialect. */
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { type ApiResponse, call, deploymentIn, newName, type Target } from "./client.ts";

const UploadUrlSchema = v.strictObject({ upload_url: v.string(), object_path: v.string() });
const CreatedSchema = v.looseObject({ id: v.string(), latest_revision_id: v.null() });

/** Any archive: the emulator doesn't unpack it. */
export const ARCHIVE = gzipSync("source");

/** The shortest create request. */
export function sourceRequest(name = newName()) {
  return { name, source: "internal_source", source_config: {}, source_revision_config: {}, secrets: [] };
}

/** Creates a deployment that has no revision yet; returns its id. */
export async function createFromSource(target: Target, request: object = sourceRequest()): Promise<string> {
  const { status, body } = await call(target, "POST /v2/deployments", request);
  if (status !== 201) throw new Error(`create answered ${status}`);
  return v.parse(CreatedSchema, body).id;
}

export async function uploadUrl(target: Target, id: string) {
  const { body } = await call(target, `POST /v2/deployments/${id}/upload-url`);
  return v.parse(UploadUrlSchema, body);
}

/** Sends an archive to an upload address; headers that are undefined are left out. */
export async function put(
  url: string,
  body: string | Buffer,
  headers: Record<string, string | undefined> = {},
) {
  const all = Object.entries({
    "Content-Type": "application/gzip",
    "X-Goog-Content-Length-Range": "0,209715200",
    ...headers,
  });
  const given = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const response = await fetch(url, { method: "PUT", headers: Object.fromEntries(given), body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

/** Uploads an archive; returns its path. */
export async function upload(target: Target, id: string, archive = ARCHIVE): Promise<string> {
  const { upload_url, object_path } = await uploadUrl(target, id);
  const { status } = await put(upload_url, archive);
  if (status !== 200) throw new Error(`the upload answered ${status}`);
  return object_path;
}

export function deployArchive(target: Target, id: string, path: string, others = {}): Promise<ApiResponse> {
  return call(target, `PATCH /v2/deployments/${id}`, {
    revision_source: "internal_source",
    source_revision_config: { source_tarball_path: path, langgraph_config_path: "langgraph.json" },
    ...others,
  });
}

/** Uploads an archive and deploys it; returns its path and the id of the revision. */
export async function uploadAndDeploy(target: Target, id: string, archive = ARCHIVE) {
  const path = await upload(target, id, archive);
  return { path, revision: deploymentIn(await deployArchive(target, id, path)).latest };
}
