(await import("./index.js")).main("rollback", "main");
