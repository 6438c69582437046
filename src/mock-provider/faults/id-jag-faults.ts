import { on, withJson } from '../../mock/index.ts';
import { HOUR, JWT_TYPE, SECOND } from '../../protocol/index.ts';
import { DEFAULT_PROVIDER_LIFETIMES } from '../config/lifetimes.ts';
import { PATHS } from '../config/paths.ts';
import type { BuiltInProviderFault } from './provider-fault.ts';
import { ageless, both, saying, signing } from './redeciding.ts';
import { tampered } from './rewiring.ts';

/** What services take for recent, in seconds. */
const OLDEST = DEFAULT_PROVIDER_LIFETIMES.maxAuthAge / SECOND;

/** Faults: what it writes wrongly into its ID-JAGs. */
export const ID_JAG_FAULTS = {
  wrongIdJagAudience: {
    description: 'issues ID-JAGs for another service (RFC 8693 §2.1, audience)',
    decisions: saying('idJag', () => ({ aud: 'https://other.example' })),
    breaks: ['IDJ-03', 'IDC-01', 'AR-OBJ-1.provider'],
    fails: { mint: ['audience'] },
  },
  wrongIdJagTyp: {
    description: 'issues ID-JAGs with another typ (RFC 8725 §3.11)',
    decisions: signing('idJag', ({ claims }) => ({ typ: 'JWT', claims })),
    breaks: ['IDJ-01'],
    fails: { mint: ['header'] },
  },
  wrongEmailVerified: {
    description: 'says that the email is not verified',
    decisions: saying('idJag', () => ({ email_verified: false })),
    breaks: ['IDJ-07'],
    fails: { mint: ['verified-address'] },
  },
  missingAuthTime: {
    description: 'leaves auth_time out',
    decisions: saying('idJag', () => ({ auth_time: undefined })),
    breaks: ['IDJ-07'],
    fails: { mint: ['sign-in-time'] },
  },
  longIdJagLifetime: {
    description: 'issues ID-JAGs that live for two hours',
    config: (right) => ({ ...right, lifetimes: { ...right.lifetimes, idJag: 2 * HOUR } }),
    breaks: ['IDJ-07'],
    fails: { mint: ['short-lived'] },
  },
  repeatedJti: {
    description: 'gives every ID-JAG the same jti (RFC 7519 §4.1.7)',
    decisions: saying('idJag', () => ({ jti: 'jag_0' })),
    breaks: ['IDJ-02'],
    fails: { mint: ['unique'] },
  },
  wrongIdJagSignature: {
    description: 'issues ID-JAGs with a wrong signature (RFC 7517 §5)',
    parts: tampered(JWT_TYPE.idJag),
    breaks: ['AR-OBJ-1.provider', 'AR-EP-11'],
    fails: { mint: ['signed'] },
  },
  missingIat: {
    description: 'issues ID-JAGs without iat (ID-JAG §3.1)',
    decisions: saying('idJag', () => ({ iat: undefined })),
    breaks: ['IDJ-02'],
    fails: { mint: ['claims'] },
  },
  wrongIdJagIssuer: {
    description: 'names another issuer in its ID-JAGs (ID-JAG §3.1, iss)',
    decisions: saying('idJag', () => ({ iss: 'https://other.example' })),
    breaks: ['IDJ-03'],
    fails: { mint: ['issuer'] },
  },
  wrongIdJagClientId: {
    description: 'names another client in its ID-JAGs',
    decisions: saying('idJag', () => ({ client_id: 'another-client' })),
    breaks: ['W3-62'],
    fails: { mint: ['client-id'] },
  },
  missingEmail: {
    description: 'leaves the email out of its ID-JAGs',
    decisions: saying('idJag', () => ({ email: undefined, email_verified: undefined })),
    breaks: ['IDJ-06', 'IDJ-07'],
    fails: { mint: ['email', 'verified-address'] },
  },
  wrongAmrType: {
    description: 'writes amr as a string, not as a list (ID-JAG §3.1, amr)',
    decisions: saying('idJag', () => ({ amr: 'pwd' })),
    breaks: ['IDJ-28.provider'],
    fails: { mint: ['claim-types'] },
  },
  wrongSubjectPerSession: {
    description: 'gives one user another sub at each sign-in (ID-JAG §3.1, sub)',
    decisions: saying('idJag', ({ jti, sub }) => ({ sub: `${String(sub)}_${String(jti)}` })),
    breaks: ['IDJ-04'],
    fails: { mint: ['subject-stable'] },
  },
  sharedSubject: {
    description: 'gives everybody the same sub (ID-JAG §3.1, sub)',
    decisions: saying('idJag', () => ({ sub: 'usr_0' })),
    breaks: ['IDJ-04'],
    fails: { mint: ['subjects-differ'] },
  },
  extraIdJagScope: {
    description: 'writes more scope into an ID-JAG than it granted (ID-JAG §4.3.3)',
    decisions: saying('idJag', ({ scope }) => ({
      scope: typeof scope === 'string' ? `${scope} admin` : undefined,
    })),
    breaks: ['IDJ-11'],
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
    breaks: ['IDJ-11'],
    fails: { 'mint-scope': ['scope-said'] },
  },
  missingIdJagResource: {
    description: 'leaves the granted resource out of the ID-JAG (ID-JAG §4.3.3)',
    decisions: saying('idJag', () => ({ resource: undefined })),
    breaks: ['IDJ-11'],
    fails: { 'mint-scope': ['resource'] },
  },
  wrongAuthTime: {
    description: 'writes the time of issue as auth_time',
    decisions: saying('idJag', ({ iat }) => ({ auth_time: iat })),
    breaks: ['IDJ-07'],
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
    breaks: ['IDJ-15', 'IDJ-07'],
    fails: { 'session-age': ['stale', 'old-is-said'] },
  },
} as const satisfies Readonly<Record<string, BuiltInProviderFault>>;
