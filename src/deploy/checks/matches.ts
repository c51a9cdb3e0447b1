/** How long an expression may take, in milliseconds: some take forever for certain texts. */
const timeoutMs = 1000;

/** Whether a regular expression matches somewhere in a text, or why that can't be said: a part of a sentence. */
export async function matchesPattern(pattern: string, text: string): Promise<boolean | string> {
  // A limit on time exists only for scripts (https://nodejs.org/api/vm.html#scriptrunincontextcontextifiedobject-options).
  const { runInNewContext } = await import("node:vm");
  try {
    return (
      runInNewContext("new RegExp(pattern).test(text)", { pattern, text }, { timeout: timeoutMs }) === true
    );
  } catch {
    return `the expression takes more than ${timeoutMs / 1000} s or too much memory`;
  }
}
