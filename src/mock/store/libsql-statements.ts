import type { Row, Value } from './database.ts';
import type { Connection, Statement } from './libsql-connection.ts';
import { sqliteCode, toFileError } from './libsql-errors.ts';
import { checkParameters, countParameters } from './parameters.ts';

const MAX_STATEMENTS = 500;
const SCHEMA_CHANGE = /^\s*(?:create|alter|drop)\b/i;
const READS = /^\s*select\b/i;
const NAMES_SETTINGS = /\bsettings\b/i;
const NONE: readonly Value[] = [];

interface Prepared {
  readonly statement: Statement;
  readonly parameters: number;
  readonly writes: boolean;
  readonly writesSettings: boolean;
  columns: readonly string[];
}

/** The statements of one connection, each prepared once. */
export class LibsqlStatements {
  readonly #connection: Connection;
  readonly #file: string | undefined;
  readonly #prepared = new Map<string, Prepared>();
  /** Whether one of those that ran may have changed a setting. Taken back by whoever commits, or undoes it. */
  hasWrittenSettings = false;
  /** Whether one of those that ran may have changed anything. Taken back by whoever asks. */
  hasWritten = false;

  /** @param file for its errors; `undefined` in memory. */
  constructor(connection: Connection, file: string | undefined) {
    this.#connection = connection;
    this.#file = file;
  }

  get(sql: string, params = NONE): Row | undefined {
    const prepared = this.#prepare(sql, params);
    try {
      const cells = prepared.statement.get(params) as readonly Value[] | undefined;
      return cells && toRow(prepared, cells);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  all(sql: string, params = NONE): readonly Row[] {
    const prepared = this.#prepare(sql, params);
    try {
      const rows = prepared.statement.all(params) as readonly (readonly Value[])[];
      return rows.map((cells) => toRow(prepared, cells));
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** How many rows were changed. */
  run(sql: string, params = NONE): number {
    const { statement } = this.#prepare(sql, params);
    try {
      return statement.run(params).changes;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  clear(): void {
    this.#prepared.clear();
  }

  #prepare(sql: string, params: readonly Value[]): Prepared {
    const prepared = this.#prepared.get(sql) ?? this.#prepareAnew(sql);
    checkParameters(prepared.parameters, params);
    if (prepared.writes) this.hasWritten = true;
    if (prepared.writesSettings) this.hasWrittenSettings = true;
    return prepared;
  }

  #prepareAnew(sql: string): Prepared {
    let prepared: Prepared;
    try {
      prepared = prepare(this.#connection, sql);
    } catch (error) {
      throw this.#explain(error);
    }
    if (SCHEMA_CHANGE.test(sql) || this.#prepared.size >= MAX_STATEMENTS) {
      this.#prepared.clear();
    } else {
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }

  #explain(error: unknown): unknown {
    const code = sqliteCode(error);
    // Prepared before the schema changed, statements may name tables that are gone.
    if (code === 'SQLITE_ERROR' || code === 'SQLITE_SCHEMA') this.#prepared.clear();
    return toFileError(error, this.#file);
  }
}

function prepare(connection: Connection, sql: string): Prepared {
  const statement = connection.prepare(sql);
  const isReader = statement.reader;
  const writes = !READS.test(sql);
  if (isReader) statement.raw();
  return {
    statement,
    parameters: countParameters(sql),
    writes,
    writesSettings: writes && NAMES_SETTINGS.test(sql),
    columns: isReader ? columnsOf(statement) : [],
  };
}

function columnsOf(statement: Statement): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

function toRow(prepared: Prepared, cells: readonly Value[]): Row {
  // Another process may have added a column since.
  if (cells.length !== prepared.columns.length) prepared.columns = columnsOf(prepared.statement);
  const { columns } = prepared;
  const row: Record<string, Value> = {};
  for (let at = 0; at < columns.length; at += 1) row[columns[at] as string] = cells[at] ?? null;
  return row;
}
