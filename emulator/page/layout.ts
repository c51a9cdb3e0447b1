/** The frame of every view. */
import { type Html, html, type View } from "./html.ts";

const PLACES = [
  ["/", "Deployments"],
  ["/page/requests", "Requests"],
  ["/page/usage", "Usage"],
] as const;

export function layout(view: View): Html {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${view.title} · Emulator</title>
  <link rel="icon" href="/page/icon.svg">
  <link rel="stylesheet" href="/page/style.css">
  <script src="/page/script.js" type="module"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top"><strong>Emulator</strong>
    <nav aria-label="Main">${PLACES.map(([path, name]) => html`<a href="${path}" ${name === view.title && "aria-current=page"}>${name}</a>`)}</nav>
    <p role="status" id="connection"></p></header>
  ${mainOf(view)}
</body>
</html>`;
}

export function mainOf({ main, isLive }: View): Html {
  return html`<main id="main" tabindex="-1" ${isLive && "data-live"}>${main}</main>`;
}
