import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideMint, type MintFacts } from '../../../src/mock-provider/mint/decide-mint.ts';
import { parseScope, type Scopes } from '../../../src/mock-provider/mint/scopes.ts';

const NOW = 1_000_000;
const MAX_AGE = 1000;
const facts = (over: Partial<MintFacts> = {}): MintFacts => ({
  requested: undefined,
  offered: undefined,
  consent: undefined,
  denied: false,
  autoApproved: false,
  authTime: NOW,
  ...over,
});
const decide = (over: Partial<MintFacts>) => decideMint(facts(over), NOW, MAX_AGE);

describe('the decision about an ID-JAG', () => {
  it.each<[string, Partial<MintFacts>, ReturnType<typeof decideMint>]>([
    ['asks before the first one', {}, { kind: 'ask', scopes: undefined }],
    ['asks for what is requested', { requested: ['a'] }, { kind: 'ask', scopes: ['a'] }],
    ['asks for all that is offered', { offered: ['a', 'b'] }, { kind: 'ask', scopes: ['a', 'b'] }],
    [
      'asks for no more than is offered',
      { requested: ['a', 'x'], offered: ['a', 'b'] },
      { kind: 'ask', scopes: ['a'] },
    ],
    [
      'refuses what is not offered at all',
      { requested: ['x'], offered: ['a'] },
      { kind: 'refused', code: 'invalid_scope' },
    ],
    [
      'mints what was agreed to',
      { requested: ['a'], consent: { scopes: ['a', 'b'] } },
      { kind: 'mint', scopes: ['a'] },
    ],
    [
      'mints anything under an open consent',
      { requested: ['a'], consent: { scopes: undefined } },
      { kind: 'mint', scopes: ['a'] },
    ],
    [
      'mints openly under an open consent',
      { consent: { scopes: undefined } },
      { kind: 'mint', scopes: undefined },
    ],
    [
      'narrows an open request to the consent',
      { consent: { scopes: ['a'] } },
      { kind: 'mint', scopes: ['a'] },
    ],
    [
      'narrows to what is still offered',
      { offered: ['b'], consent: { scopes: ['a', 'b'] } },
      { kind: 'mint', scopes: ['b'] },
    ],
    [
      'asks again when nothing agreed to is offered any more',
      { offered: ['b'], consent: { scopes: ['a'] } },
      { kind: 'ask', scopes: ['a', 'b'] },
    ],
    [
      'asks again for what goes beyond the consent, showing the whole',
      { requested: ['b'], consent: { scopes: ['a'] } },
      { kind: 'ask', scopes: ['a', 'b'] },
    ],
    ['tells a refusal', { denied: true }, { kind: 'refused', code: 'access_denied' }],
    [
      'does not mind a refusal of more',
      { denied: true, requested: ['a'], consent: { scopes: ['a'] } },
      { kind: 'mint', scopes: ['a'] },
    ],
    [
      'consents for the auto-approved user',
      { autoApproved: true, requested: ['a'] },
      { kind: 'mint', scopes: ['a'], consentTo: { scopes: ['a'] } },
    ],
    [
      'takes a sign-in of the greatest age',
      { authTime: NOW - MAX_AGE, consent: { scopes: undefined } },
      { kind: 'mint', scopes: undefined },
    ],
    [
      'takes no older one',
      { authTime: NOW - MAX_AGE - 1, consent: { scopes: undefined } },
      { kind: 'refused', code: 'insufficient_user_authentication' },
    ],
    [
      'takes no older one of the auto-approved user',
      { authTime: 0, autoApproved: true },
      { kind: 'refused', code: 'insufficient_user_authentication' },
    ],
  ])('%s', (_what, over, decision) => {
    expect(decide(over)).toEqual(decision);
  });

  it('never mints beyond what was asked for, is offered and was agreed to', () => {
    const scopes = fc.option(fc.subarray(['a', 'b', 'c'], { minLength: 1 }), { nil: undefined });
    const consent = fc.option(fc.record({ scopes }), { nil: undefined });
    const within = (inner: Scopes, outer: Scopes) =>
      outer === undefined || inner?.every((scope) => outer.includes(scope)) === true;
    fc.assert(
      fc.property(scopes, scopes, consent, fc.boolean(), (requested, offered, agreed, denied) => {
        const decision = decide({ requested, offered, consent: agreed, denied });
        if (decision.kind !== 'mint') return true;
        return (
          agreed !== undefined &&
          decision.consentTo === undefined &&
          decision.scopes?.length !== 0 &&
          within(decision.scopes, requested) &&
          within(decision.scopes, offered) &&
          within(decision.scopes, agreed.scopes)
        );
      }),
    );
  });
});

describe('a scope parameter', () => {
  it.each([
    ['a', ['a']],
    ['a b a', ['a', 'b']],
    ['  a  b ', ['a', 'b']],
    ['api.read urn:x:y !#[]~', ['api.read', 'urn:x:y', '!#[]~']],
    ['', undefined],
    ['   ', undefined],
    ['a "b"', undefined],
    ['a\\b', undefined],
    ['a\tb', undefined],
    ['é', undefined],
  ])('%j is read as %j', (text, scopes) => {
    expect(parseScope(text)).toEqual(scopes);
  });
});
