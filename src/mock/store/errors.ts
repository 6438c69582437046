/** The database could not be had: another process held it for too long, or its server is gone. The same call can succeed later. */
export class StoreBusyError extends Error {
  override readonly name = 'StoreBusyError';

  constructor(options?: ErrorOptions) {
    super('The database is busy.', options);
  }
}

/** What is wrong with a file or a URL, as a sentence that says what to do. */
const TEXTS = {
  not_found: (file) => `The folder of the database file ${file} does not exist; create it first.`,
  not_a_file: (file) => `${file} is not a file; name a file for the database.`,
  not_private: (file) =>
    `Others can read or write ${file}; run "chmod 600" on it, or name another file.`,
  not_writable: (file) => `${file} cannot be read and written; check who owns it and its folder.`,
  not_a_database: (file) => `${file} is not a database, or is damaged; name another file.`,
  damaged: (file) =>
    `The database file ${file} is damaged; restore a copy of it, or remove it with its -wal and -shm files and start again.`,
  in_use: (file) =>
    `The database file ${file} is in use by another process, and is for one alone; stop that one, or name another file. Several processes share a PostgreSQL database.`,
  no_space: (file) =>
    `The disk of the database file ${file} is full; free some space. Nothing was half written.`,
  file_read_only: (file) =>
    `The database file ${file} can only be read here; make it and its folder writable.`,
  disk_failed: (file) =>
    `The disk of the database file ${file} failed to read or write; check the system log.`,
  foreign: (place) => `${place} is the database of another program; name another database.`,
  other_version: (place) =>
    `${place} was made by another version of agent-auth; name another database.`,
  no_sqlite: () =>
    'SQLite cannot be loaded; type: npm install --include=optional. Where libsql has no build for this system, name a PostgreSQL database.',
  no_driver: () => 'PostgreSQL needs the package pg; type: npm install pg',
  bad_address: () =>
    'The URL of the database cannot be read; write it like postgres://user@host:5432/name.',
  bad_tls_file: () =>
    'A file of sslrootcert, sslcert or sslkey cannot be read; correct the URL of the database.',
  unreachable: (at) => `No PostgreSQL answers at ${at}; start it, or correct the URL.`,
  tls: (at) =>
    `${at} has no trusted certificate; name its certificate authority with sslrootcert=FILE, or turn the check off with sslmode=no-verify.`,
  no_tls: (at) => `${at} does not support TLS; enable it there, or add sslmode=disable to the URL.`,
  no_password: (at) => `${at} asks for a password; set PGPASSWORD.`,
  wrong_password: (at) => `${at} rejects the user or the password; correct the wrong one.`,
  not_admitted: (at) =>
    `${at} does not admit this user from this host; check the name, sslmode, and the server's pg_hba.conf.`,
  no_database: (at) => `${at} does not exist; create it with createdb, or correct the name.`,
  no_rights: (at) =>
    `The user of ${at} may not create tables there; have its owner run GRANT CREATE ON SCHEMA public, or use a database of your own.`,
  read_only: (at) => `${at} is read-only; name the primary server.`,
  not_utf8: (at) => `${at} is not encoded in UTF-8; create one with createdb --encoding=UTF8.`,
  no_room: (at) => `${at} accepts no connection at the moment; try again later.`,
  failed: (at) => `${at} cannot be opened; check the server log.`,
} as const satisfies Record<string, (place: string) => string>;

export type StoreOpenErrorCode = keyof typeof TEXTS;

/** A database that cannot be used. The message says what to do. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  readonly code: StoreOpenErrorCode;

  constructor(code: StoreOpenErrorCode, place = 'The database', options?: ErrorOptions) {
    super(TEXTS[code](place), options);
    this.code = code;
  }
}
