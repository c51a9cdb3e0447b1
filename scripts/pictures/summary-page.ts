import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Where GitHub shows the Markdown: on the page of a run, or in a pull request. */
export type Frame = "summary" | "comment";

/** The colours of a frame. */
const frames = {
  light: { page: "#ffffff", border: "#d1d9e0", header: "#f6f8fa", muted: "#59636e", mermaid: "default" },
  dark: { page: "#0d1117", border: "#3d444d", header: "#151b23", muted: "#9198a1", mermaid: "dark" },
} as const;

/** Styles that put the emulator's page into the frame of the other pictures. */
export function frameStyle(theme: Theme): string {
  const { page, border } = frames[theme];
  return `
:root { background: ${page}; }
body { margin: 16px; border: 1px solid ${border}; border-radius: 6px; background: var(--back); }
main { padding-bottom: 0; }`;
}

/** What a page shows. */
interface PageContent {
  readonly markdown: string;
  readonly frame: Frame;
}

/** Markdown as a page that looks like GitHub's. `folder`: where the packages are installed that it needs. */
export function summaryPage({ markdown, frame }: PageContent, theme: Theme, folder: string): string {
  const modules = join(folder, "node_modules");
  const read = (...path: string[]) => readFileSync(join(modules, ...path), "utf8");
  const { page, border, header, muted, mermaid } = frames[theme];
  const icon = read("@primer", "octicons", "build", "svg", "stop-16.svg");
  return `<!doctype html>
<meta charset="utf-8">
<style>
${read("github-markdown-css", `github-markdown-${theme}.css`)}
body { margin: 0; padding: 16px; background: ${page}; }
.frame { border: 1px solid ${border}; border-radius: 6px; overflow: hidden; font: 14px/1.5 system-ui, "Noto Sans", sans-serif; }
.frame header { padding: 8px 16px; color: ${muted}; background: ${header}; border-bottom: 1px solid ${border}; }
.frame header b { color: ${theme === "light" ? "#1f2328" : "#f0f6fc"}; }
.frame header i { margin: 0 4px; padding: 0 6px; border: 1px solid ${border}; border-radius: 2em; font-style: normal; font-size: 12px; }
.markdown-body { padding: ${frame === "comment" ? "16px" : "24px"}; }
.markdown-alert-title svg { margin-right: 8px; fill: currentColor; }
.mermaid { background: none !important; text-align: center; }
</style>
<div class="frame">${frame === "comment" ? "<header><b>github-actions</b> <i>bot</i> commented now</header>" : ""}
<div class="markdown-body">${summaryHtml(markdown, icon)}</div></div>
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
