(await import("./index.js")).main("preview", "post");
