(await import("./index.js")).main("oauth-provider", "main");
