(await import("./index.js")).main("rollback", "post");
