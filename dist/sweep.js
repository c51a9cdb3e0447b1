import { main } from "./index.js";
await main("sweep", "main");
