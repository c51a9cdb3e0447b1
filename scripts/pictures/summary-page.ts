import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The frame that a summary has on the page of a run. */
const frames = {
  light: { page: "#ffffff", border: "#d1d9e0", mermaid: "default" },
  dark: { page: "#0d1117", border: "#3d444d", mermaid: "dark" },
} as const;

/** A job summary as a page that looks like GitHub's. `folder`: where the packages are installed that it needs. */
export function summaryPage(markdown: string, theme: Theme, folder: string): string {
  const modules = join(folder, "node_modules");
  const read = (...path: string[]) => readFileSync(join(modules, ...path), "utf8");
  const { page, border, mermaid } = frames[theme];
  const icon = read("@primer", "octicons", "build", "svg", "stop-16.svg");
  return `<!doctype html>
<meta charset="utf-8">
<style>
${read("github-markdown-css", `github-markdown-${theme}.css`)}
body { margin: 0; padding: 16px; background: ${page}; }
.markdown-body { padding: 24px; border: 1px solid ${border}; border-radius: 6px; }
.markdown-alert-title svg { margin-right: 8px; fill: currentColor; }
.mermaid { background: none !important; text-align: center; }
</style>
<div class="markdown-body">${summaryHtml(markdown, icon)}</div>
<script src="${pathToFileURL(join(modules, "mermaid", "dist", "mermaid.min.js")).href}"></script>
<script>
mermaid.initialize({ startOnLoad: false, theme: "${mermaid}" });
mermaid.run().then(() => { document.body.dataset.height = document.documentElement.offsetHeight; });
</script>`;
}

/** The summary's HTML: GitHub's alerts and Mermaid charts besides Markdown. `icon`: of a caution. */
export function summaryHtml(markdown: string, icon: string): string {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return html
    .replaceAll(
      /<blockquote>\n<p>\[!CAUTION\]\n(.*?)<\/blockquote>/gs,
      (_all, text) =>
        `<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">${icon}Caution</p><p>${text}</div>`,
    )
    .replaceAll(
      /<pre><code class="language-mermaid">(.*?)<\/code><\/pre>/gs,
      (_all, chart) => `<pre class="mermaid">${chart}</pre>`,
    );
}
