// The floor of the start-up benchmark: what an action that uses GitHub's toolkit imports, and nothing else.
export * as core from "@actions/core";
export { getOctokit } from "@actions/github";
export { retry } from "@octokit/plugin-retry";
export { throttling } from "@octokit/plugin-throttling";
