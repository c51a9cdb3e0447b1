import * as core from "@actions/core";
import { HttpClient } from "@actions/http-client";
import { helper } from "./helper.ts";

export async function main(name: string): Promise<void> {
  core.info(helper(name));
  const client = new HttpClient("x");
  core.info(typeof client);
  if (process.env.GH) {
    const { getOctokit } = await import("@actions/github");
    core.info(typeof getOctokit);
  }
}
