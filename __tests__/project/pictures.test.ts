import { expect, test } from "@jest/globals";
import { findChromium } from "../../scripts/pictures/chromium.ts";
import { summaryHtml } from "../../scripts/pictures/summary-page.ts";

test("the picture of a summary shows alerts and charts as GitHub does", () => {
  const html = summaryHtml(
    "> [!CAUTION]\n> It `failed`.\n>\n> Next\n\n```mermaid\ngantt\n```\n\n| a |\n|---|\n",
    "(icon)",
  );

  expect(html).toContain(
    '<p class="markdown-alert-title">(icon)Caution</p><p>It <code>failed</code>.</p>\n<p>Next</p>',
  );
  expect(html).toContain('<pre class="mermaid">gantt\n</pre>');
  expect(html).toContain("<table>");
  expect(html).not.toContain("[!CAUTION]");
});

test("pictures without a Chromium end with an error that says how to get one", () => {
  expect(() => findChromium("/nonexistent")).toThrow("apt-get install chromium");
});
