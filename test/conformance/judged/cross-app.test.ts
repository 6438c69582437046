import { describe, expect, it } from 'vitest';
import { CROSS_APP_BUGS } from '../services/cross-app/bugs.ts';
import { CROSS_APP_CLIENTS, startCrossApp } from '../services/cross-app.ts';
import { itIsRight, itShowsBugs, type Outcomes } from './it-is-judged.ts';
import { type Judged, judge, scenariosOf } from './judge.ts';

/** Judged as its developer would: with both clients and both resources. */
const CROSS_APP: Judged = {
  start: startCrossApp,
  options: { crossApp: { clients: CROSS_APP_CLIENTS, resources: ['/mcp', '/files'] } },
};

/** What it does otherwise, and may. */
const WARNINGS = {
  'redemption-client.code': 'calls a request without a client invalid_request',
  'redemption-errors.json': 'leaves it to caches that they keep no answer to a POST',
  'redemption-revocation.unknown': 'says bearer of every token',
  'redemption-scope.told': 'names no scope that is that of the ID-JAG',
  'redemption-keys.few-fetches': 'fetches a key set up to twenty times a minute',
  'redemption.resource-told': 'names no resource in its answer',
};

/** Bug → what the first screen shows of it. */
const OUTCOMES = {
  'audience-among-others': { finds: 'redemption-audience.several' },
  'audience-prefix': { finds: 'redemption-audience.look-alike' },
  'audience-text-alone': { finds: 'redemption.list-of-one' },
  'jti-unread': { finds: 'redemption-claims.odd-jti' },
  'jti-forgotten': { finds: 'redemption-replay.again' },
  'jti-race': { finds: 'redemption-replay.parallel' },
  'any-issuer': { finds: 'redemption-issuer.stranger' },
  'no-credentials': { finds: 'redemption-client.id-alone' },
  'any-client': { finds: 'redemption-audience.client' },
  'resource-as-asked': { finds: 'redemption-resource.parameter' },
  'scope-as-asked': { finds: 'redemption-scope.within-claim' },
  'key-ignored': { finds: 'redemption-claims.confirmation' },
} satisfies Outcomes;

describe('a right server of cross-app access on Express', () => {
  itIsRight(CROSS_APP, WARNINGS);
  itShowsBugs(CROSS_APP, CROSS_APP_BUGS, OUTCOMES, WARNINGS);

  it('is told whom to trust, where it trusts nobody', async () => {
    const start: Judged['start'] = (given) => startCrossApp({ ...given, trust: [] });
    const some = scenariosOf('redemption.granted');
    const { first, report } = await judge({ ...CROSS_APP, start }, undefined, some);
    expect(first).toBe('redemption.granted');
    const [cause] = report.causes.filter(({ status }) => status === 'fail');
    expect(cause?.expected).toMatch(/ID-JAG of http:.*, which the server has to trust/);
  });

  it('has a name for what is found of each bug', () => {
    expect(Object.keys(OUTCOMES)).toEqual(CROSS_APP_BUGS.map(({ id }) => id));
  });
});
