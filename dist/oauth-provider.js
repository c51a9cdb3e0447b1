import { main } from "./index.js";
await main("oauth-provider", "main");
