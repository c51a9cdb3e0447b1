(await import("./index.js")).main("delete", "main");
