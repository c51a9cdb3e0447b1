(await import("./index.js")).main("usage", "main");
