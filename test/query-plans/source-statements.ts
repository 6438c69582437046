import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text that begins as a statement does. */
const STATEMENT = /(['"`])((?:SELECT|INSERT|UPDATE|DELETE|WITH)\s(?:(?!\1)[\s\S])*)\1/g;
/** Faults ask what they like; what opens a store asks it about itself, once. */
const LEFT_OUT =
  /\/faults\/|\/schema\.ts$|\/shared-tables\.ts$|\/store\/(?:pg-|libsql-|create-tables)/;

/** A statement in the source of the mocks. */
export interface SourceStatement {
  readonly file: string;
  readonly sql: string;
  /** Whether a statement that was sent is this one, whatever was put into its `${…}`. */
  isIn(sent: string): boolean;
}

/** Every statement that the mocks send, as their source has it. */
export function sourceStatements(): readonly SourceStatement[] {
  const root = join(import.meta.dirname, '../../src');
  return ['mock', 'mock-service', 'mock-provider'].flatMap((product) =>
    readdirSync(join(root, product), { recursive: true, encoding: 'utf8' })
      .map((path) => join(product, path))
      .filter((path) => path.endsWith('.ts') && !LEFT_OUT.test(`/${path}`))
      .flatMap((file) => statementsOf(file, readFileSync(join(root, file), 'utf8'))),
  );
}

function statementsOf(file: string, source: string): readonly SourceStatement[] {
  return [...source.matchAll(STATEMENT)].map(([, , sql = '']) => {
    const parts = sql
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const pattern = new RegExp(`^${parts.join('[\\s\\S]*')}$`);
    return { file, sql, isIn: (sent) => pattern.test(sent) };
  });
}
