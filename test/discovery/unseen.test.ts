import { describe, expect, it } from 'vitest';
import { recognise, recogniseAnswer } from '../../src/discovery/index.ts';
import { ANSWERS } from './unseen-answers.ts';
import { NOTHING_BEHIND, OTHERS } from './unseen-others.ts';
import { SERVICES } from './unseen-services.ts';
import { SHAPES } from './unseen-shapes.ts';

/** Documents and answers written after the descriptions of services alone, not after the tables of this program. */
describe('documents of services', () => {
  it.each([...SERVICES, ...NOTHING_BEHIND, ...OTHERS, ...SHAPES])(
    'takes %s for what it is',
    (_what, documents, verdict, families, reason) => {
      const found = recognise(documents);
      expect([found.verdict, found.families]).toEqual([verdict, families]);
      expect(found.reason).toMatch(reason);
    },
  );
});

describe('answers of services', () => {
  it.each(ANSWERS)('reads %s', (_what, status, body, families, direction) => {
    const found = recogniseAnswer(body, status);
    expect([found.families, found.direction]).toEqual([families, direction]);
    expect(found.nothing === undefined).toBe(families.length > 0);
  });
});
