import fc from "fast-check";
import { anyText } from "./any-text.ts";

const listed = (text: string) => text.split(" / ");

/** What Markdown, or GitHub's view of it, takes for more than text. */
export const markup = [
  ...listed("@everyone / @octo-org/team / #12 / GH-1 / octo/repo#1 / :smile: / $x$ / javascript:alert(1)"),
  ...listed("deadbeef1 / (deadbeefa) / x-0123456789abcdef0123456789abcdef01234567"),
  ...listed("https://evil.example/a?b=c / http://evil.example / www.evil.example / mallory@evil.example"),
  ...listed("[text](https://evil.example) / ![x](https://evil.example/a.png) / [x](javascript:y)"),
  ...listed("[text][id] / [id]: https://evil.example / [^1] / <https://evil.example>"),
  ...listed("<script>alert(1)</script> / <img src=x onerror=alert(1)> / <a href='javascript:alert(1)'>x</a>"),
  ...listed(
    "<!-- deploy-agent-server / --> / </details> / &lt;b&gt; / &#64;everyone / & / < / > / ( / ) / .",
  ),
  ...listed(
    "` / `` / ``` / ~~~ / ~~ / | / \\ / \\| / \\` / * / _ / [ / ] / *bold* / __bold__ / ~~gone~~ / # / # h",
  ),
  ...listed("- item / - / 1. / > / > [!CAUTION] / - [ ] task / --- / === / | a | b | / |---|---|"),
];

/** Text made of what is live in Markdown. */
export const hostile = fc
  .array(fc.oneof(fc.constantFrom(...markup), fc.constantFrom("\n", "\n\n", " "), fc.string(), anyText()), {
    maxLength: 10,
  })
  .map((parts) => parts.join(""));
