(await import("./index.js")).main("preview", "main");
