/** Emulators for tests. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../index.ts";
import { usageFile } from "./usage.ts";

/** The initial time of `useEmulator`'s clock, in milliseconds since the epoch. */
export const START = Date.parse("2026-03-02T09:00:00Z");

export interface TestEmulator extends Emulator {
  /** Virtual time, as a response shows it. */
  time(): string;
  /** Advances virtual time. */
  pass(seconds: number): void;
}

/** An emulator on virtual time for all tests of a file. Faults are removed after each test. */
export async function useEmulator(options: EmulatorOptions = {}): Promise<TestEmulator> {
  let now = START;
  const emulator = await startEmulator({ now: () => now, ...options });
  const removals: (() => void)[] = [];
  afterEach(() => {
    for (const remove of removals.splice(0)) remove();
  });
  afterAll(() => emulator.close());
  return {
    ...emulator,
    addFault(rule) {
      const remove = emulator.addFault(rule);
      removals.push(remove);
      return remove;
    },
    time: () => new Date(now).toISOString(),
    pass(seconds) {
      now += seconds * 1000;
    },
  };
}

/** Runs `use` with an emulator that is closed afterwards. */
export async function withEmulator<T>(
  options: EmulatorOptions,
  use: (emulator: Emulator) => Promise<T>,
): Promise<T> {
  const emulator = await startEmulator(options);
  try {
    return await use(emulator);
  } finally {
    await emulator.close();
  }
}

/** Runs `use` with a new folder that is removed afterwards. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "emulator-test-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An emulator with these usage lines, for all tests of a file. */
export function useUsage(lines: readonly unknown[]): Promise<TestEmulator> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, "usage.jsonl");
    await writeFile(file, usageFile(lines));
    return await useEmulator({ usageFile: file });
  });
}
