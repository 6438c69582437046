import { describe, expect, it } from 'vitest';
import { findFaults, switched } from '../../../src/live/controls/find-faults.ts';

const FAULTS = [
  { name: 'token-empty', description: 'Answers with no token.', on: false },
  { name: 'slow-poll', description: 'Takes a minute.', on: true },
  { name: 'poll-empty', description: 'Answers a poll with {}.', on: false },
];
const names = (text: string) => findFaults(FAULTS, text).map(({ name }) => name);

describe('the list of faults', () => {
  it('begins with what is on, and is searched by words of name and description', () => {
    expect(names('')).toEqual(['slow-poll', 'token-empty', 'poll-empty']);
    expect(names('POLL')).toEqual(['slow-poll', 'poll-empty']);
    expect(names('empty answers')).toEqual(['token-empty', 'poll-empty']);
    expect(names('slow poll')).toEqual(['slow-poll']);
    expect(names('none such')).toEqual([]);
  });

  it('switches one, and leaves the others as they are', () => {
    expect(switched(FAULTS, 'token-empty', true)).toEqual(['token-empty', 'slow-poll']);
    expect(switched(FAULTS, 'slow-poll', false)).toEqual([]);
  });
});
