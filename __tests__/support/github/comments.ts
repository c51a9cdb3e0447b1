import * as v from "valibot";
import {
  type Answer,
  account,
  type Call,
  idSequence,
  notFound,
  page,
  type Routes,
  timestamp,
  validationFailed,
} from "./answer.ts";
import { example } from "./description.ts";

/** A comment on an issue or pull request, as tests look at it. */
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
const bodyLength = 65_536;

/** Comments of all issues. */
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

function shown(comment: Comment, call: Call) {
  const html = `https://github.com/${call.repositoryUrl.split("/").slice(-2).join("/")}/pull/${comment.issue}`;
  return {
    ...example("issue-comment"),
    id: comment.id,
    url: `${call.repositoryUrl}/issues/comments/${comment.id}`,
    html_url: `${html}#issuecomment-${comment.id}`,
    issue_url: `${call.repositoryUrl}/issues/${comment.issue}`,
    body: comment.body,
    user: account(comment.login),
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
    author_association: comment.login.endsWith("[bot]") ? "NONE" : "COLLABORATOR",
  };
}

/** Does with the body what is to be done, if GitHub would take it. */
function withBody(call: Call, write: (body: string) => Answer): Answer {
  const { body } = v.parse(BodySchema, call.body);
  if (body.trim() === "") {
    return validationFailed("IssueComment", "body", "body can't be blank");
  }
  if (body.length > bodyLength) {
    return validationFailed("IssueComment", "body", `body is too long (maximum is ${bodyLength} characters)`);
  }
  return write(body);
}

function list(comments: Comments, issue: number, call: Call): Answer {
  const since = typeof call.query.since === "string" ? Date.parse(call.query.since) : 0;
  const matching = comments.of(issue).filter((comment) => comment.updatedAt >= since);
  return page(
    call,
    matching.map((comment) => shown(comment, call)),
  );
}

/** What can be asked of comments; `isIssue` says which numbers there are. */
export function commentRoutes(comments: Comments, isIssue: (number: number) => boolean): Routes {
  const ofIssue = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
  const one = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
  const withIssue = (answer: (issue: number, call: Call) => Answer) => (call: Call) => {
    const issue = Number(call.pathValues.issue_number);
    return isIssue(issue) ? answer(issue, call) : notFound();
  };
  const withComment = (answer: (comment: Comment, call: Call) => Answer) => (call: Call) => {
    const comment = comments.find(Number(call.pathValues.comment_id));
    return comment === undefined ? notFound() : answer(comment, call);
  };
  return new Map([
    [`GET ${ofIssue}`, withIssue((issue, call) => list(comments, issue, call))],
    [
      `POST ${ofIssue}`,
      withIssue((issue, call) =>
        withBody(call, (body) => ({ status: 201, body: shown(comments.add(issue, body, call.login), call) })),
      ),
    ],
    [`GET ${one}`, withComment((comment, call) => ({ status: 200, body: shown(comment, call) }))],
    [
      `PATCH ${one}`,
      withComment((comment, call) =>
        withBody(call, (body) => ({ status: 200, body: shown(comments.change(comment, body), call) })),
      ),
    ],
    [
      `DELETE ${one}`,
      withComment((comment) => {
        comments.delete(comment.id);
        return { status: 204 };
      }),
    ],
  ]);
}
