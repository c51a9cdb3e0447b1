/** `npm run emulator`: the emulator as a program. */
import { OptionError, readCommandLine, USAGE } from "./command-line.ts";
import { ListenError } from "./errors.ts";
import type { LoggedRequest } from "./request-log.ts";
import { WorkFolderError } from "./runner/work-folder.ts";
import { startEmulator } from "./server.ts";
import { DataFileError } from "./store/database.ts";
import { UsageFileError } from "./usage/usage-file.ts";

async function main(): Promise<void> {
  const { emulator: options, verbose, help } = readCommandLine(process.argv.slice(2));
  if (help) return console.log(USAGE);
  const { promise: listening, resolve: announce } = Promise.withResolvers<void>();
  const emulator = await startEmulator({
    ...options,
    keepRequests: false,
    onRequest: verbose ? printRequest : () => {},
    onLive: (name, url) => void listening.then(() => console.log(`${name} is live at ${url}`)),
    onFailed: (name, reason) => void listening.then(() => console.log(`${name} failed: ${reason}`)),
  });
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop());
  console.log(`emulator listening on ${emulator.url}`);
  if (emulator.pageUrl !== undefined) console.log(`its page for your browser: ${emulator.pageUrl}`);
  announce();
  await stopped;
  await emulator.close();
}

function printRequest({ method, path, status }: LoggedRequest): void {
  console.log(`${new Date().toISOString()} ${method} ${path} ${status ?? "no response"}`);
}

function isExpected(error: unknown): error is Error {
  return [DataFileError, ListenError, UsageFileError, WorkFolderError].some((kind) => error instanceof kind);
}

try {
  await main();
} catch (error) {
  if (error instanceof OptionError) {
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = 2;
  } else if (isExpected(error)) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
