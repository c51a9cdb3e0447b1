(await import("./index.js")).main("deploy", "main");
