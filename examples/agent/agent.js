// The agent: what it answers. Change something, commit, deploy.

export const version = "1";

/** The state after a run. */
export function run({ question }) {
  const greeting = process.env.GREETING;
  if (!greeting) throw new Error("The secret GREETING is not set");
  return { question, answer: `${greeting}! I am version ${version}.` };
}

/** What keeps the agent from working, if anything does. */
export function findProblem() {
  return null;
}
