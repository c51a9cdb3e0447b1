/** Everything the emulator keeps, as tables. Times are milliseconds since the epoch unless they say otherwise. */
export const TABLES = `
  CREATE TABLE deployments (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    source_config TEXT NOT NULL,
    source_revision_config TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    gone_at INTEGER
  ) STRICT;
  CREATE TABLE revisions (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    source_revision_config TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    timeline TEXT NOT NULL
  ) STRICT;
  CREATE INDEX revisions_of_deployment ON revisions (deployment_id, sequence);
  CREATE TABLE secrets (
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value_hash TEXT NOT NULL,
    PRIMARY KEY (deployment_id, name)
  ) STRICT;

  CREATE TABLE oauth_providers (
    provider_id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    client_secret_hash TEXT
  ) STRICT;

  -- What usage is counted for: the JSON of one 'dimensions' object each.
  CREATE TABLE usage_dimensions (
    id INTEGER PRIMARY KEY,
    dimensions TEXT NOT NULL UNIQUE,
    workspace_id TEXT
  ) STRICT;
  CREATE INDEX usage_workspaces ON usage_dimensions (workspace_id) WHERE workspace_id IS NOT NULL;
  -- Traces by hour (hours since the epoch): no stride is shorter. One row per way of grouping, so that a report
  -- reads no more rows than it has to, in the order of this key.
  CREATE TABLE usage (
    group_by TEXT NOT NULL,
    workspace INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    dimension INTEGER NOT NULL,
    traces INTEGER NOT NULL,
    PRIMARY KEY (group_by, workspace, hour, dimension)
  ) STRICT, WITHOUT ROWID;
`;
