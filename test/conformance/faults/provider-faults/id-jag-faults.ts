import { DEFAULT_PROVIDER_LIFETIMES } from '../../../../src/mock-provider/config/lifetimes.ts';
import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { ageless, both, exchanging } from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import { SECOND } from '../../../../src/protocol/durations.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';

const { on, saying, withJson } = rewire;

/** What services take for recent, in seconds. */
const OLDEST = DEFAULT_PROVIDER_LIFETIMES.maxAuthAge / SECOND;

/** Faults: what it writes wrongly into its ID-JAGs. */
export const ID_JAG_FAULTS = {
  missingIat: {
    description: 'issues ID-JAGs without iat (ID-JAG §3.1)',
    decisions: saying('idJag', () => ({ iat: undefined })),
    fails: { mint: ['claims'], 'idp-exchange': ['claims'] },
  },
  wrongAmrType: {
    description: 'writes amr as a string, not as a list (ID-JAG §3.1, amr)',
    decisions: saying('idJag', () => ({ amr: 'pwd' })),
    fails: { mint: ['claim-types'], 'idp-exchange': ['claim-types'] },
  },
  wrongSubjectPerSession: {
    description: 'gives one user another sub at each sign-in (ID-JAG §3.1, sub)',
    decisions: saying('idJag', ({ jti, sub }) => ({ sub: `${String(sub)}_${String(jti)}` })),
    fails: { mint: ['subject-stable'], 'idp-exchange': ['subject-stable'] },
  },
  sharedSubject: {
    description: 'gives everybody the same sub (ID-JAG §3.1, sub)',
    decisions: saying('idJag', () => ({ sub: 'usr_0' })),
    fails: { mint: ['subjects-differ'], 'idp-exchange': ['subjects-differ'] },
  },
  extraIdJagScope: {
    description: 'writes more scope into an ID-JAG than it granted (ID-JAG §4.3.3)',
    decisions: saying('idJag', ({ scope }) => ({
      scope: typeof scope === 'string' ? `${scope} admin` : undefined,
    })),
    fails: { 'mint-scope': ['scope', 'scope-said'] },
  },
  missingGrantedScope: {
    description: 'grants less scope than was asked for without saying so (ID-JAG §4.3.4)',
    decisions: saying('idJag', ({ scope }) => ({
      scope: typeof scope === 'string' ? scope.split(' ')[0] : undefined,
    })),
    answers: on(
      (path) => path === PATHS.token,
      withJson((body) => ('issued_token_type' in body ? { ...body, scope: undefined } : body)),
    ),
    fails: { 'mint-scope': ['scope-said'] },
  },
  missingIdJagResource: {
    description: 'leaves the granted resource out of the ID-JAG (ID-JAG §4.3.3)',
    decisions: saying('idJag', () => ({ resource: undefined })),
    fails: { 'mint-scope': ['resource'] },
  },
  wrongAudienceOfResource: {
    description: 'names the resource as aud where one is requested (ID-JAG §3.1, aud)',
    decisions: saying('idJag', ({ aud, resource }) => ({ aud: resource ?? aud })),
    fails: { 'mint-scope': [], 'minted-audiences': ['one'] },
  },
  extraConsentedAudience: {
    description: 'names every service that its user agreed to in aud (ID-JAG §3.1, aud)',
    parts: exchanging((right) => async (provider, form, client) => {
      const { consents, decisions, idTokens } = provider;
      const session = await idTokens.verify(form.get('subject_token') ?? '', client.id);
      const given = session === undefined ? [] : await consents.listOf(session.email);
      const all = given.map(({ audience }) => audience);
      const wrong = saying('idJag', ({ aud }) => ({ aud: all.length > 1 ? all : aud }));
      return right({ ...provider, decisions: wrong(decisions) }, form, client);
    }),
    fails: { 'consent-revoked': [], 'minted-audiences': ['one'] },
  },
  extraConsentedScope: {
    description:
      'grants all scopes that its user agreed to, to whoever asks for some (ID-JAG §4.3.3)',
    decisions: (right) => ({
      ...right,
      mint: (facts, ...rest) => {
        const minted = right.mint(facts, ...rest);
        const agreed = facts.consent?.scopes;
        return minted.kind === 'mint' && agreed ? { ...minted, scopes: agreed } : minted;
      },
    }),
    fails: { consent: ['narrower'] },
  },
  wrongAuthTime: {
    description: 'writes the time of issue as auth_time',
    decisions: saying('idJag', ({ iat }) => ({ auth_time: iat })),
    fails: { 'session-age': ['sign-in-time-kept'] },
  },
  wrongStaleAuthTime: {
    description: 'writes a recent auth_time for an old sign-in',
    decisions: both(
      ageless,
      saying('idJag', ({ auth_time: authTime, iat }) => ({
        auth_time: Math.max(Number(authTime), Number(iat) - OLDEST),
      })),
    ),
    fails: { 'session-age': ['stale', 'old-is-said'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
