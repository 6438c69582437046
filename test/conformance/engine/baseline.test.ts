import { describe, expect, it } from 'vitest';
import {
  judgeAgainst,
  readBaseline,
  writeBaseline,
} from '../../../src/conformance/engine/baseline.ts';
import { GREEN_REPORT, SAMPLE_REPORT } from '../support/sample-report.ts';

const RED = ['discovery.resource', 'claim.completed', 'claim.tokens'];

const listing = (...checks: string[]) =>
  readBaseline(
    JSON.stringify({
      schema: 'agent-auth.conformance-baseline/1',
      role: 'service',
      known: checks.map((check) => ({ check })),
    }),
  );

describe('without a baseline', () => {
  it('a run fails by what is broken and by what could not be tested', () => {
    const { unlisted, verdict } = judgeAgainst(SAMPLE_REPORT);
    expect({ unlisted, verdict }).toEqual({
      verdict: 'failed',
      unlisted: RED,
    });
    expect(judgeAgainst(GREEN_REPORT).verdict).toBe('passed');
  });
});

describe('with a baseline', () => {
  it('what is listed does not fail a run, what is not does', () => {
    const both = listing(...RED);
    expect(judgeAgainst(SAMPLE_REPORT, both).verdict).toBe('passed');
    expect(judgeAgainst(SAMPLE_REPORT, listing('claim.completed', 'claim.tokens'))).toMatchObject({
      verdict: 'failed',
      unlisted: ['discovery.resource'],
    });
  });

  it('what is listed and passes makes it stale, unless something fails', () => {
    expect(judgeAgainst(GREEN_REPORT, listing('keys.public'))).toEqual({
      verdict: 'stale',
      unlisted: [],
      fixed: ['keys.public'],
    });
    expect(judgeAgainst(SAMPLE_REPORT, listing('keys.public')).verdict).toBe('failed');
  });

  it('what was not run does not count', () => {
    expect(judgeAgainst(GREEN_REPORT, listing('claim.completed')).verdict).toBe('passed');
    const skipped = listing(...RED, 'claim.expired');
    expect(judgeAgainst(SAMPLE_REPORT, skipped).verdict).toBe('passed');
  });

  it('counts what only warns now as mended', () => {
    expect(judgeAgainst(GREEN_REPORT, listing('keys.public')).fixed).toEqual(['keys.public']);
    const { fixed } = judgeAgainst(SAMPLE_REPORT, listing(...RED, 'discovery.caching'));
    expect(fixed).toEqual(['discovery.caching']);
  });

  it('can be written from a run, and makes that run pass', () => {
    const written = readBaseline(writeBaseline(SAMPLE_REPORT));
    expect(written.known.map(({ check }) => check)).toEqual([...RED]);
    expect(judgeAgainst(SAMPLE_REPORT, written).verdict).toBe('passed');
    expect(writeBaseline(SAMPLE_REPORT)).not.toMatch(/[\p{Cf}\p{Cs}]/u);
  });
});

describe('a baseline that is none', () => {
  const head = 'schema: agent-auth.conformance-baseline/1\nrole: agent\n';

  it.each([
    ['not YAML', 'schema: [', /^line \d+ is not YAML/],
    ['nothing', '', /^line 1, the file: /],
    ['another schema', 'schema: x\nrole: service\nknown: []\n', /^line 1, schema: /],
    ['no such role', head.replace('agent\n', 'king\nknown: []'), /^line 2, role/],
    ['a check without a name', `${head}known:\n  - check: ""`, /^line 4, known\.0\.check/],
    ['no check', `${head}known:\n  - check: a.b\n  - reason: c`, /^line 5, known\.1\.check/],
    [
      'a misspelt member',
      `${head}known:\n  - check: a.b\n    reson: c`,
      /^line 4, known\.0: .*reson/,
    ],
    ['no list', `${head}known:\n  a.b: c`, /^line 4, known/],
    [
      'a check twice',
      `${head}known:\n  - check: a.b\n  - check: a.b`,
      /^line 5: a\.b is listed twice/,
    ],
    ['an alias of nothing', `${head}known: *all`, /aliases cannot be resolved/],
  ])('names the line: %s', (_what, text, message) => {
    expect(() => readBaseline(text)).toThrow(message);
  });
});
