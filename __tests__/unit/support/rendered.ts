import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Markdown as GitHub's dialect renders it, HTML in it left live. */
export function rendered(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** What a reader sees outside of code: rendered Markdown without its code. */
export function outsideCode(markdown: string): string {
  return rendered(markdown).replace(/<code[^>]*>[\s\S]*?<\/code>/g, "");
}

/** The names of the HTML elements outside of code, each once. */
export function elements(markdown: string): string[] {
  const names = [...outsideCode(markdown).matchAll(/<([a-z!][a-z0-9-]*)/gi)].map(([, name]) => String(name));
  return [...new Set(names)].sort();
}
