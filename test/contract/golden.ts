import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from './recorder.ts';

/** A flow by the name of its golden file, and what went over the wire in it. */
export interface Run {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** The golden file of a flow. */
export function goldenFile(name: string): string {
  return join(import.meta.dirname, `../../fixtures/transcripts/${name}.json`);
}

/**
 * The text of a golden file. An exchange that an earlier flow has, byte for byte, stands there alone: here a line says
 * where, such as `flat-anonymous 3: POST /agent/identity`. What is left is what this flow shows and no earlier one.
 */
export function golden({ exchanges }: Pick<Run, 'exchanges'>, earlier: readonly Run[]): string {
  const places = new Map<string, string>();
  for (const { name, exchanges: all } of earlier) {
    for (const [at, exchange] of all.entries()) {
      const key = JSON.stringify(exchange);
      if (!places.has(key)) places.set(key, `${name} ${at + 1}: ${pathOf(exchange)}`);
    }
  }
  const told = exchanges.map((exchange) => places.get(JSON.stringify(exchange)) ?? exchange);
  return `${JSON.stringify(told, null, 2)}\n`;
}

/** The exchanges of a golden file, those of earlier flows in their places. */
export function readGolden(name: string): readonly Exchange[] {
  const told = JSON.parse(readFileSync(goldenFile(name), 'utf8')) as readonly (Exchange | string)[];
  return told.map((each) => {
    if (typeof each !== 'string') return each;
    const [, flow = '', at, path] = /^(\S+) (\d+): (.+)$/.exec(each) ?? [];
    const found = readGolden(flow)[Number(at) - 1];
    if (found === undefined || pathOf(found) !== path) {
      throw new Error(`${name} names an exchange that is not there: ${each}`);
    }
    return found;
  });
}

function pathOf({ request }: Exchange): string {
  return request.replace(/\?.*/, '');
}
