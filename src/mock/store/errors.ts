/** Another process held the database for longer than the busy timeout. The same call can succeed later. */
export class StoreBusyError extends Error {
  override readonly name = 'StoreBusyError';

  constructor(options?: ErrorOptions) {
    super('The database is busy.', options);
  }
}

export type StoreOpenErrorCode =
  | 'not_found'
  | 'not_a_file'
  | 'not_private'
  | 'not_writable'
  | 'not_a_database'
  | 'foreign'
  | 'newer';

const TEXTS: Readonly<Record<StoreOpenErrorCode, (file: string) => string>> = {
  not_found: (file) => `The folder of the database file ${file} does not exist; make it first.`,
  not_a_file: (file) => `${file} is not a file; name a file for the database.`,
  not_private: (file) =>
    `Others can read or write ${file}; run "chmod 600" on it, or name another file.`,
  not_writable: (file) => `${file} cannot be read and written; check who owns it and its folder.`,
  not_a_database: (file) => `${file} is not a database, or is damaged; name another file.`,
  foreign: (file) => `${file} is the database of another program; name another file.`,
  newer: (file) =>
    `${file} was written by a newer version of agent-auth; update, or name another file.`,
};

/** A database that cannot be used. The message is a sentence for the person who named it. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  readonly code: StoreOpenErrorCode;

  constructor(code: StoreOpenErrorCode, file = 'The database', options?: ErrorOptions) {
    super(TEXTS[code](file), options);
    this.code = code;
  }
}
