import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

const options = {
  allowDangerousHtml: true,
  allowDangerousProtocol: true,
  extensions: [gfm()],
  htmlExtensions: [gfmHtml()],
};

/** Markdown as GitHub's dialect renders it, with its HTML left live. */
export function rendered(markdown: string): string {
  return micromark(markdown, options);
}

/** What is shown outside of code: rendered Markdown without its code. */
export function outsideCode(markdown: string): string {
  return rendered(markdown).replace(/<code[^>]*>[\s\S]*?<\/code>/g, "");
}

/** The names of the HTML elements outside of code, each once. */
export function elements(markdown: string): string[] {
  return elementsIn(outsideCode(markdown));
}

/** The names of the elements in HTML, each once. */
export function elementsIn(html: string): string[] {
  const names = [...html.matchAll(/<([a-z!][a-z0-9-]*)/gi)].map(([, name]) => String(name));
  return [...new Set(names)].sort();
}
