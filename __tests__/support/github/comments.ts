import * as v from "valibot";
import {
  type ApiCall,
  type ApiResponse,
  account,
  idSequence,
  notFound,
  page,
  type Routes,
  timestamp,
  validationFailed,
} from "./api-response.ts";
import { example } from "./description.ts";

/** A comment on a pull request. */
export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly login: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const BodySchema = v.object({ body: v.string() });
const maxBodyLength = 65_536;

export class Comments {
  readonly #now: () => number;
  readonly #nextId = idSequence();
  readonly #byId = new Map<number, Comment>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Oldest first, as GitHub lists them. */
  of(issue: number): readonly Comment[] {
    return [...this.#byId.values()].filter((comment) => comment.issue === issue);
  }

  find(id: number): Comment | undefined {
    return this.#byId.get(id);
  }

  add(issue: number, body: string, login: string): Comment {
    const now = this.#now();
    const comment = { id: this.#nextId(), issue, login, body, createdAt: now, updatedAt: now };
    this.#byId.set(comment.id, comment);
    return comment;
  }

  change(comment: Comment, body: string): Comment {
    const changed = { ...comment, body, updatedAt: this.#now() };
    this.#byId.set(comment.id, changed);
    return changed;
  }

  delete(id: number): void {
    this.#byId.delete(id);
  }
}

function commentJson({ id, body, login, createdAt, updatedAt }: Comment) {
  return {
    ...Object(example("issue-comment")),
    id,
    body,
    user: account(login),
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}

/** Writes the body, if GitHub accepts it. */
function writeBody(call: ApiCall, write: (body: string) => ApiResponse): ApiResponse {
  const { body } = v.parse(BodySchema, call.body);
  if (body.trim() === "") return validationFailed("IssueComment", "body", "body can't be blank");
  if (body.length <= maxBodyLength) return write(body);
  const message = `body is too long (maximum is ${maxBodyLength} characters)`;
  return validationFailed("IssueComment", "body", message);
}

/** The operations on comments. Each pull request is an issue too. */
export function commentRoutes(comments: Comments, isIssue: (number: number) => boolean): Routes {
  const all = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
  const one = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
  const ofIssue = (respond: (issue: number, call: ApiCall) => ApiResponse) => (call: ApiCall) => {
    const issue = Number(call.pathValues.issue_number);
    return isIssue(issue) ? respond(issue, call) : notFound();
  };
  const ofComment = (respond: (comment: Comment, call: ApiCall) => ApiResponse) => (call: ApiCall) => {
    const comment = comments.find(Number(call.pathValues.comment_id));
    return comment === undefined ? notFound() : respond(comment, call);
  };
  const list = (issue: number, call: ApiCall) => page(call, comments.of(issue).map(commentJson));
  const create = (issue: number, call: ApiCall) =>
    writeBody(call, (body) => ({ status: 201, body: commentJson(comments.add(issue, body, call.login)) }));
  const update = (comment: Comment, call: ApiCall) =>
    writeBody(call, (body) => ({ status: 200, body: commentJson(comments.change(comment, body)) }));
  const remove = ({ id }: Comment) => {
    comments.delete(id);
    return { status: 204 };
  };
  return new Map([
    [`GET ${all}`, ofIssue(list)],
    [`POST ${all}`, ofIssue(create)],
    [`GET ${one}`, ofComment((comment) => ({ status: 200, body: commentJson(comment) }))],
    [`PATCH ${one}`, ofComment(update)],
    [`DELETE ${one}`, ofComment(remove)],
  ]);
}
