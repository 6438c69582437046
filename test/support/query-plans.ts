import type { Database, Row, Transaction, Value } from '../../src/mock/index.ts';

/** What a plan does to one table: reads all of it, maybe in the order of an index. */
export interface WholeRead {
  readonly table: string;
  /** It follows an index or the key, and sorts nothing: with a limit, it ends there. */
  readonly inOrder: boolean;
}

/** Which tables a statement reads from end to end, as a kind of database says it goes about it. */
export type Explain = (tx: Transaction, statement: Statement) => Promise<readonly WholeRead[]>;

export interface Statement {
  readonly sql: string;
  readonly params: readonly Value[];
  /** Its rows are kept from others until the end of its transaction. */
  readonly isForUpdate: boolean;
}

/** What is read and written by statements. What changes the schema is not explained. */
const EXPLAINED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/;

/** Watches what a mock asks its database, and has the database explain how it goes about it. */
export class QueryPlans {
  /** What a mock is to be given. */
  readonly watched: Database;
  readonly #db: Database;
  readonly #explain: Explain;
  readonly #seen = new Map<string, Statement>();

  constructor(db: Database, explain: Explain) {
    this.#db = db;
    this.#explain = explain;
    const note = (sql: string, params: readonly Value[], isForUpdate = false) => {
      if (EXPLAINED.test(sql)) {
        this.#seen.set(sql + (isForUpdate ? ' FOR UPDATE' : ''), { sql, params, isForUpdate });
      }
      return sql;
    };
    const watch = (tx: Transaction): Transaction => ({
      get: (sql, params = []) => tx.get(note(sql, params), params),
      all: (sql, params = []) => tx.all(note(sql, params), params),
      run: (sql, params = []) => tx.run(note(sql, params), params),
      later: (sql, params = []) => tx.later(note(sql, params), params),
      getForUpdate: (sql, params = []) => tx.getForUpdate(note(sql, params, true), params),
      allForUpdate: (sql, params = []) => tx.allForUpdate(note(sql, params, true), params),
      skipLocked: tx.skipLocked,
      lock: (...names) => tx.lock(...names),
      lockSettings: () => tx.lockSettings(),
      atEnd: (work) => tx.atEnd(work),
      lockTables: (...tables) => tx.lockTables(...tables),
    });
    this.watched = {
      transaction: (work) => db.transaction((tx) => work(watch(tx))),
      alone: (work) => db.alone((tx) => work(watch(tx))),
      read: (work) =>
        db.read((reader) =>
          work({
            get: (sql, params = []) => reader.get(note(sql, params), params),
            all: (sql, params = []) => reader.all(note(sql, params), params),
          }),
        ),
      readOne: (sql, params = []) => db.readOne(note(sql, params), params),
      settingsVersion: () => db.settingsVersion(),
      close: () => db.close(),
    };
  }

  /** The statements so far, each once. */
  get statements(): readonly string[] {
    return [...new Set([...this.#seen.values()].map(({ sql }) => sql))];
  }

  /** Forgets what was seen: what a start does, for example. */
  forget(): void {
    this.#seen.clear();
  }

  /**
   * The statements that read a table from end to end.
   * @param isFine what may be read so, by which statement.
   */
  async wholeReads(isFine: (read: WholeRead, sql: string) => boolean): Promise<readonly string[]> {
    const found: string[] = [];
    for (const statement of this.#seen.values()) {
      const reads = await this.#explained(statement);
      if (!reads.every((read) => isFine(read, statement.sql))) found.push(statement.sql);
    }
    return found;
  }

  /** In a transaction that is undone: SQLite does not commit while it explains a write. */
  async #explained(statement: Statement): Promise<readonly WholeRead[]> {
    const explained: { reads?: readonly WholeRead[] } = {};
    const undo = new Error('explained');
    try {
      await this.#db.transaction(async (tx) => {
        explained.reads = await this.#explain(tx, statement);
        throw undo;
      });
    } catch (error) {
      if (error !== undo) throw error;
    }
    if (explained.reads === undefined) throw new Error(`Not explained: ${statement.sql}`);
    return explained.reads;
  }
}

/** https://www.sqlite.org/eqp.html */
export const explainOnSqlite: Explain = async (tx, { params, sql }) => {
  const plan = await tx.all(`EXPLAIN QUERY PLAN ${sql}`, params);
  const steps = plan.map(({ detail }) => String(detail));
  // Rows that are equal by the index are sorted among themselves: that is no reading of all.
  const sorts = steps.some((step) => /^USE TEMP B-TREE FOR (?:ORDER|GROUP|DISTINCT)/.test(step));
  return steps.flatMap((step) => {
    const [, table = ''] = /^SCAN (\S+)/.exec(step) ?? [];
    // `SCAN (subquery-2)`, or `SCAN numbered` by its name: what a subquery came to.
    const isSubquery = table.startsWith('(') || new RegExp(`\\) AS ${table}\\b`).test(sql);
    if (table === '' || isSubquery) return [];
    // Without an index it goes by the key of the table.
    const goesByOrder = step.includes(' USING ') || sql.includes(' ORDER BY ');
    return { table, inOrder: goesByOrder && !sorts };
  });
};

interface PgNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PgNode[];
}

/** They hold few rows: what is being sent, what has no number yet. */
const PARTIAL_INDEXES = `SELECT indexrelid::regclass::text AS name FROM pg_index
  WHERE indpred IS NOT NULL AND indrelid::regclass::text NOT LIKE 'pg_%'`;

/** With an index wherever there is one (https://www.postgresql.org/docs/current/using-explain.html). */
export const explainOnPostgres: Explain = async (tx, { isForUpdate, params, sql }) => {
  await tx.run('SET LOCAL enable_seqscan = off');
  const row = await tx.get(
    `EXPLAIN (FORMAT JSON) ${sql}${isForUpdate ? ' FOR UPDATE' : ''}`,
    params,
  );
  const [explained] = JSON.parse(planText(row)) as readonly { readonly Plan: PgNode }[];
  const nodes = explained ? allNodes(explained.Plan) : [];
  const sorts = nodes.some((node) => node['Node Type'] === 'Sort');
  const whole = nodes.filter((node) => isWholeRead(node));
  const partial = new Set(
    whole.length === 0 ? [] : (await tx.all(PARTIAL_INDEXES)).map(({ name }) => name),
  );
  return whole.flatMap((node) => {
    const table = node['Relation Name'] ?? '';
    if (allNodes(node).some((each) => partial.has(each['Index Name'] ?? ''))) return [];
    return { table, inOrder: node['Node Type'] !== 'Seq Scan' && !sorts };
  });
};

/** A scan of a table for which no index has a condition. */
function isWholeRead(node: PgNode): boolean {
  if (node['Relation Name'] === undefined || !node['Node Type'].endsWith('Scan')) return false;
  return allNodes(node).every((each) => each['Index Cond'] === undefined);
}

function planText(row: Row | undefined): string {
  const text = row?.['QUERY PLAN'];
  if (typeof text !== 'string') throw new Error('PostgreSQL explains nothing.');
  return text;
}

function allNodes(node: PgNode): readonly PgNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}
