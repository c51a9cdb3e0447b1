import fc from "fast-check";
import { anyText } from "./any-text.ts";

/** Text made of what is live in Markdown. */
export const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "`",
        "``",
        "|",
        "\\",
        "\\|",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "*",
        "_",
        "~~",
        "#",
        "- ",
        "1. ",
        "> ",
        "\n",
        "\n\n",
        " ",
        ".",
        "&",
      ),
      fc.constantFrom(
        "@everyone",
        "#12",
        "octo/repo#1",
        "http://evil.example",
        "www.evil.example",
        "a@b.example",
        "<img src=x>",
        "<!--",
        "-->",
        "![x](y)",
        "[x](javascript:y)",
        "[^1]",
        "&lt;",
        "deadbeef1",
        "(deadbeefa)",
      ),
      fc.string(),
      anyText(),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));
