import { main } from "./index.js";
await main("deploy", "main");
