import { describe, expect, it } from 'vitest';
import { judgeAgainst, readBaseline, writeBaseline } from '../../src/conformance/baseline.ts';
import { GREEN_REPORT, SAMPLE_REPORT } from './support/sample-report.ts';

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
      unlisted: ['discovery.resource', 'claim.started'],
    });
    expect(judgeAgainst(GREEN_REPORT).verdict).toBe('passed');
  });
});

describe('with a baseline', () => {
  it('what is listed does not fail a run, what is not does', () => {
    const both = listing('discovery.resource', 'claim.started');
    expect(judgeAgainst(SAMPLE_REPORT, both).verdict).toBe('passed');
    expect(judgeAgainst(SAMPLE_REPORT, listing('claim.started'))).toMatchObject({
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

  it('what was not run says nothing', () => {
    expect(judgeAgainst(GREEN_REPORT, listing('claim.started')).verdict).toBe('passed');
    const skipped = listing('discovery.resource', 'claim.started', 'claim.later');
    expect(judgeAgainst(SAMPLE_REPORT, skipped).verdict).toBe('passed');
  });

  it('can be written from a run, and makes that run pass', () => {
    const written = readBaseline(writeBaseline(SAMPLE_REPORT));
    expect(written.known.map(({ check }) => check)).toEqual([
      'discovery.resource',
      'claim.started',
    ]);
    expect(judgeAgainst(SAMPLE_REPORT, written).verdict).toBe('passed');
  });
});

describe('a baseline that is none', () => {
  it.each([
    ['no YAML', 'schema: [', /^line \d+ is no YAML/],
    ['another schema', 'schema: x\nrole: service\nknown: []\n', /^line 1, schema: /],
    [
      'no such role',
      'schema: agent-auth.conformance-baseline/1\nrole: king\nknown: []',
      /^line 2, role/,
    ],
    [
      'a check without a name',
      'schema: agent-auth.conformance-baseline/1\nrole: agent\nknown:\n  - check: ""',
      /^line 4, known\.0\.check/,
    ],
    [
      'a check twice',
      'schema: agent-auth.conformance-baseline/1\nrole: agent\nknown: [{check: a.b}, {check: a.b}]',
      /^a\.b is listed twice/,
    ],
  ])('says where: %s', (_what, text, message) => {
    expect(() => readBaseline(text)).toThrow(message);
  });
});
