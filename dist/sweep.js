(await import("./index.js")).main("sweep", "main");
