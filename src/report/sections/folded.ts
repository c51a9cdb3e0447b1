/** Returns a block that readers can open. `title`: HTML, because GitHub renders no Markdown there. `content`: Markdown. */
export function folded(title: string, content: readonly string[], isOpen = false): string {
  return [`<details${isOpen ? " open" : ""}><summary>${title}</summary>`, ...content, "</details>"].join(
    "\n\n",
  );
}
