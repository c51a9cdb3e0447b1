(await import("./index.js")).main("deploy", "post");
