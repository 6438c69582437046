import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const TESTS = join(import.meta.dirname, '..');
const WAITS = /(?<!['"\w.(]{2})\b(?:spawnSync|execFileSync|execSync)\(/g;

/** The text of a call, from its name to the bracket that closes it. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let at = text.indexOf('(', start); at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return text.slice(start);
}

it('lets no test wait for a program without an end', () => {
  const calls = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(TESTS, name), 'utf8');
      return [...text.matchAll(WAITS)].map(({ index }) => `${name}: ${callAt(text, index)}`);
    })
    // In the text of a program that a test writes, the agent's own limit holds.
    .filter((call) => !/^conformance\/agent\/system-harness/.test(call));
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter((call) => !/\.\.\.LIMITED|\bLIMITED\b|\btimeout:/.test(call))).toEqual([]);
});
