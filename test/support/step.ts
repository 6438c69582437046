import { expect } from 'vitest';
import { needsOf } from '../../src/agent/next-step.ts';
import type { Next } from '../../src/cli/shell/next.ts';

/** `next` of `--json`, for a line that quotes nothing. */
export function step(line: string): Next {
  const argv = line.split(' ');
  return { argv, line, needs: needsOf(argv) };
}

/** `next` of `--json`, of which the line is known by its form alone. */
export function nextLike(line: RegExp): unknown {
  return expect.objectContaining({ line: expect.stringMatching(line) });
}
