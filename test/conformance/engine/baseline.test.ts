import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  type Baseline,
  readBaseline,
  writeBaseline,
} from '../../../src/conformance/engine/baseline.ts';
import { buildReport } from '../../../src/conformance/engine/report.ts';
import type { Report, Verdict } from '../../../src/conformance/index.ts';
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

/** The verdict of a report's run, judged again by a baseline. */
function verdictWith(report: Report, baseline?: Baseline): Verdict {
  const startedAt = Date.parse(report.startedAt);
  return buildReport({ ...report, startedAt, core: [], baseline }).verdict;
}

describe('without a baseline', () => {
  it('a run fails by what is broken, not by what could not be tested', () => {
    expect(verdictWith(SAMPLE_REPORT)).toMatchObject({ outcome: 'does_not_conform', known: 0 });
    expect(verdictWith(GREEN_REPORT).outcome).toBe('conforms');
  });
});

describe('with a baseline', () => {
  it('what is listed does not fail a run, what is not does', () => {
    expect(verdictWith(SAMPLE_REPORT, listing(...RED))).toMatchObject({
      outcome: 'conforms_but',
      known: 1,
    });
    expect(verdictWith(SAMPLE_REPORT, listing('claim.completed', 'claim.tokens')).outcome).toBe(
      'does_not_conform',
    );
  });

  it('what is listed and passes, or only warns, is said to be fixed', () => {
    expect(verdictWith(GREEN_REPORT, listing('keys.public'))).toMatchObject({
      outcome: 'conforms',
      fixed: ['keys.public'],
    });
    const { fixed } = verdictWith(SAMPLE_REPORT, listing(...RED, 'discovery.caching'));
    expect(fixed).toEqual(['discovery.caching']);
  });

  it('what was not run does not count', () => {
    expect(verdictWith(GREEN_REPORT, listing('claim.completed'))).toMatchObject({
      outcome: 'conforms',
      fixed: [],
    });
    expect(verdictWith(SAMPLE_REPORT, listing(...RED, 'claim.expired')).outcome).toBe(
      'conforms_but',
    );
  });

  it('can be written from a run, and makes that run pass', () => {
    const written = readBaseline(writeBaseline(SAMPLE_REPORT));
    // The two others could not be tested: nobody knows yet whether they fail.
    expect(written.known.map(({ check }) => check)).toEqual(['discovery.resource']);
    expect(verdictWith(SAMPLE_REPORT, written).outcome).toBe('conforms_but');
    expect(writeBaseline(SAMPLE_REPORT)).not.toMatch(/[\p{Cf}\p{Cs}]/u);
  });
});

describe('a baseline that is written again', () => {
  const BEFORE = `# What we know.
schema: agent-auth.conformance-baseline/1
role: service
known:
  # Judged, and fails still.
  - check: discovery.resource
    reason: ours is behind a proxy # until spring
  # Passes now.
  - check: discovery.challenge
    reason: was broken
  - check: keys.public
  # Skipped by this run.
  - check: claim.expired
    reason: the clock
  # Not selected by this run.
  - check: other.check
    reason: not ours
  - check: claim.completed
`;

  it('keeps what this run did not judge, and what its user wrote', () => {
    const text = writeBaseline(SAMPLE_REPORT, BEFORE);
    expect(text).toContain('# What we know.\n');
    expect(text).toContain(
      '  - check: discovery.resource\n    reason: ours is behind a proxy # until spring\n',
    );
    expect(text).toContain('  # Not selected by this run.\n  - check: other.check\n');
    const { known } = readBaseline(text);
    expect(known.map(({ check }) => check)).toEqual([
      'discovery.resource',
      'claim.expired',
      'other.check',
      'claim.completed',
    ]);
    expect(known.filter(({ reason }) => reason === undefined)).toEqual([]);
    // Every reason is on a line of its own.
    expect(text.match(/^ {4}reason: ./gm)).toHaveLength(4);
    expect(writeBaseline(SAMPLE_REPORT, text)).toBe(text);
  });

  it('is YAML in lines, whatever form it had before', () => {
    const json = JSON.stringify(parse(BEFORE), null, 2);
    for (const before of [json, BEFORE.replace(/known:[\s\S]*/, 'known: []\n'), '', ' \n']) {
      const text = writeBaseline(SAMPLE_REPORT, before);
      expect(text).toMatch(/^ {2}- check: discovery\.resource\n {4}reason: ./m);
      expect(text).not.toMatch(/^\s*[[{]/m);
    }
    expect(readBaseline(writeBaseline(SAMPLE_REPORT, json)).known).toEqual(
      readBaseline(writeBaseline(SAMPLE_REPORT, BEFORE)).known,
    );
    expect(readBaseline(writeBaseline(GREEN_REPORT)).known).toEqual([]);
  });

  it('holds its values where an anchor was taken out', () => {
    const before = BEFORE.replace('was broken', '&why was broken').replace('not ours', '*why');
    const known = readBaseline(writeBaseline(SAMPLE_REPORT, before)).known;
    expect(known).toContainEqual({ check: 'other.check', reason: 'was broken' });
  });

  it('is not written over something else', () => {
    expect(() => writeBaseline(SAMPLE_REPORT, 'a: b')).toThrow(/^line 1/);
  });
});

describe('a baseline that is none', () => {
  const head = 'schema: agent-auth.conformance-baseline/1\nrole: agent\n';

  it.each([
    ['not YAML', 'schema: [', /^line \d+ is not YAML/],
    ['nothing', '', /^it is empty\. --write-baseline FILE makes one/],
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
  ])('says what is wrong, and where: %s', (_what, text, message) => {
    expect(() => readBaseline(text)).toThrow(message);
  });
});
