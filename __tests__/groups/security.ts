import { importGroup } from "../support/import-group.ts";

await importGroup(import.meta.filename);
