import type { HttpResponse } from "../../http/request.ts";
import { describeResponse } from "../../http/response-error.ts";
import type { Expectation, Received } from "../../results/watch.ts";
import { code, excerpt, type Message, quote, text, withoutFullStop } from "../../text/message.ts";

/** What a check found out, for people. */
export interface DescribedFinding {
  /** What came of the check, or why it failed, as a part of a sentence. */
  readonly what: Message;
  /** What to do next, after a failure. */
  readonly hint?: Message | undefined;
  /** What a failed check sent, expected and received. */
  readonly evidence?: Evidence;
}

interface Evidence {
  readonly request: Message;
  readonly expected: readonly Message[];
  /** What the agent wrote last, if the response is a state with messages. */
  readonly lastMessage?: Message | undefined;
  readonly received: readonly Message[];
}

/** What a check expected of a response, as a part of a sentence. */
export function describeExpectation(expected: Expectation): Message {
  switch (expected.kind) {
    case "response":
      return text`a response`;
    case "status":
      return expected.status === undefined ? text`a 2xx status` : text`status ${expected.status}`;
    case "no_encoding":
      return text`a response without content encoding`;
    case "final_state":
      return text`the final state of the run, as a JSON object`;
    case "no_error":
      return expected.interrupted
        ? text`a run that is interrupted, without an error`
        : text`a run that ends without an error`;
    case "interrupt":
      return text`a run ${expected.wanted ? text`with` : text`without`} ${code("__interrupt__")}`;
    case "contains":
      return text`a response that contains ${quote(expected.value, 200)}`;
    case "matches":
      return text`a response that matches ${code(expected.value, 200)}`;
    case "json": {
      const { pointer, value } = expected;
      return text`${excerpt(value)}${pointer === "" ? undefined : text` at ${code(pointer, 100)}`}`;
    }
  }
}

/** What it received instead. */
export function describeReceived(received: Received): Message {
  switch (received.kind) {
    case "no_response":
      return withoutFullStop(received.error.ending.message);
    case "response":
      return describeStatus(received.response);
    case "text":
      return received.text === "" ? text`nothing` : text`${excerpt(received.text)}`;
    case "too_slow":
      return text`no result: the expression took more than ${received.limitMs / 1000} s or too much memory`;
  }
}

/** A status with what the response says. */
export function describeStatus(response: HttpResponse): Message {
  return text`${response.status}, ${describeResponse(response)}`;
}
