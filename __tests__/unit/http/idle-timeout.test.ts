import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { withIdleTimeout } from "../../../src/http/timeout.ts";

describe("a request with an idle timeout", () => {
  const request = { method: "GET", url: new URL("https://usage.example/export") };
  const limits = { timeoutMs: 1000, signal: new AbortController().signal };
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test("may take longer than the limit in total", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let onData = () => {};
    const download = withIdleTimeout(request, limits, (_signal, restart) => {
      onData = restart;
      return promise;
    });

    for (let chunks = 0; chunks < 3; chunks += 1) {
      jest.advanceTimersByTime(999);
      onData();
    }
    resolve("complete");

    await expect(download).resolves.toBe("complete");
  });

  test("fails after that much silence, even if the work does not notice", async () => {
    const download = withIdleTimeout(request, limits, () => new Promise<never>(() => {}));

    jest.advanceTimersByTime(1000);

    await expect(download).rejects.toMatchObject({
      message: expect.stringMatching(/\/export: no data for 1 s/),
      kind: "timeout",
      sent: true,
    });
  });
});
