import { main } from "./index.js";
await main("delete", "main");
