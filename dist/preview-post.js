import { main } from "./index.js";
await main("preview", "post");
