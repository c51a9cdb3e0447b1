(await import("./index.js")).main("check", "main");
