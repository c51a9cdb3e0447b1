/** A block that readers open. `title`: HTML without Markdown, which GitHub does not render there; `content`: Markdown. */
export function folded(title: string, content: readonly string[], isOpen = false): string {
  return [`<details${isOpen ? " open" : ""}><summary>${title}</summary>`, ...content, "</details>"].join(
    "\n\n",
  );
}
