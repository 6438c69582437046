import { QUOTED } from './parameters.ts';

const TABLE_CHANGE = /^\s*(?:create|alter)\s+table\b/i;

/** A statement as PostgreSQL takes it. */
export interface PgStatement {
  readonly text: string;
  readonly parameters: number;
}

/** From the SQL that both stores share: `?` becomes `$1`, `$2`. */
export function toPgStatement(sql: string): PgStatement {
  const isTableChange = TABLE_CHANGE.test(sql);
  let parameters = 0;
  const translate = (plain: string): string => {
    const numbered = plain.replaceAll('?', () => {
      parameters += 1;
      return `$${parameters}`;
    });
    // In the order of its bytes as in SQLite, whatever language the database was made for.
    return isTableChange ? numbered.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"') : numbered;
  };
  let text = '';
  let end = 0;
  for (const { 0: quoted, index } of sql.matchAll(QUOTED)) {
    text += translate(sql.slice(end, index)) + quoted;
    end = index + quoted.length;
  }
  return { text: text + translate(sql.slice(end)), parameters };
}
