import type { TableSet } from '../../mock/index.ts';

/**
 * The directory's tables. Every column that holds a published value can be null; rows are identified
 * and kept in order by columns that are never published. URLs of services are paths below the
 * base URL, so that the data is good wherever the service answers.
 */
export const DIRECTORY_SCHEMA: TableSet = {
  name: 'directory',
  statements: [
    `CREATE TABLE directory_services (
        seq BIGINT PRIMARY KEY,
        service_id BIGINT,
        service_name TEXT,
        service_url TEXT
      )`,
    'CREATE INDEX directory_services_order ON directory_services (service_id, seq)',
    'CREATE INDEX directory_services_url ON directory_services (service_url)',
    `CREATE TABLE directory_methods (
        service_seq BIGINT NOT NULL,
        position BIGINT NOT NULL,
        method_id BIGINT,
        method_url TEXT,
        -- a path that the method answers at, too, and that is never listed
        alias_url TEXT,
        PRIMARY KEY (service_seq, position)
      )`,
    'CREATE INDEX directory_methods_order ON directory_methods (method_id, service_seq, position)',
    `CREATE TABLE directory_parameters (
        service_seq BIGINT NOT NULL,
        method_position BIGINT NOT NULL,
        position BIGINT NOT NULL,
        name TEXT,
        PRIMARY KEY (service_seq, method_position, position)
      )`,
    `CREATE TABLE directory_versions (
        seq BIGINT PRIMARY KEY,
        version TEXT,
        release_date TEXT
      )`,
    'CREATE INDEX directory_versions_order ON directory_versions (release_date DESC, seq)',
    `CREATE TABLE directory_changelog (
        seq BIGINT PRIMARY KEY,
        changed_on TEXT
      )`,
    'CREATE INDEX directory_changelog_order ON directory_changelog (changed_on DESC, seq)',
    `CREATE TABLE directory_changes (
        entry_seq BIGINT NOT NULL,
        position BIGINT NOT NULL,
        change_text TEXT,
        PRIMARY KEY (entry_seq, position)
      )`,
    `CREATE TABLE directory_codes (
        seq BIGINT PRIMARY KEY,
        code BIGINT,
        message TEXT
      )`,
    'CREATE INDEX directory_codes_order ON directory_codes (code, seq)',
    `CREATE TABLE directory_requests (
        id BIGINT PRIMARY KEY,
        served BIGINT
      )`,
    'CREATE INDEX directory_services_name ON directory_services (service_name)',
  ],
};

/** Those of the services and their methods. */
export const CATALOG_TABLES = [
  'directory_services',
  'directory_methods',
  'directory_parameters',
] as const;

/** Every table of the directory. */
export const DIRECTORY_TABLES = [
  ...CATALOG_TABLES,
  'directory_versions',
  'directory_changelog',
  'directory_changes',
  'directory_codes',
  'directory_requests',
] as const;
