/** The files of `dist/` that the action.yml files start, with their text: all of them share one bundle. */
export const launchers: ReadonlyMap<string, string> = new Map([
  launcher("deploy.js", "deploy", "main"),
  launcher("deploy-post.js", "deploy", "post"),
  launcher("preview.js", "preview", "main"),
  launcher("preview-post.js", "preview", "post"),
  launcher("sweep.js", "sweep", "main"),
  launcher("delete.js", "delete", "main"),
  launcher("rollback.js", "rollback", "main"),
  launcher("rollback-post.js", "rollback", "post"),
  launcher("usage.js", "usage", "main"),
  launcher("oauth-provider.js", "oauth-provider", "main"),
]);

function launcher(file: string, action: string, phase: "main" | "post"): [string, string] {
  return [file, `import { main } from "./index.js";\nawait main("${action}", "${phase}");\n`];
}
