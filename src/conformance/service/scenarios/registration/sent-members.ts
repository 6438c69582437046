import { NotApplicable } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isGranted } from '../../steps/answers.ts';
import { ClaimScopes } from '../../steps/claim-scopes.ts';

type Members = Readonly<Record<string, unknown>>;

export const sentMembers = serviceScenario({
  id: 'sent-members',
  title: 'What a service decides is not taken from the members of a request',
  checks: {
    scopes: 'Scopes that an anonymous registration brings along are not granted before the claim.',
    state: 'A state that a registration brings along claims nothing.',
  },
  restsOn: { scopes: 'anonymous.pre-claim-scope', state: 'anonymous.pre-claim-scope' },
  async run(judge, world) {
    world.needType('anonymous');
    const { client, facts } = world;
    const registered = await client.registerAnonymous();
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const scopes = new ClaimScopes(registered, await client.exchange(assertion), facts.metadata);
    const wanted = scopes.postClaimOnly;
    if (wanted.length === 0) throw new NotApplicable('No scope is known that only a claim brings.');
    const inOneList = { scope: wanted, requested_scope: wanted };
    for (const sent of [scopesAsList(wanted), scopesAsText(wanted), inOneList]) {
      await judgeAnonymous('scopes', sent);
    }
    for (const sent of [CLAIMED, ownedBy(world.userEmail())]) await judgeAnonymous('state', sent);
    if (facts.identityTypes.includes('service_auth')) await judgeByEmail(CLAIMED);

    /** Refused, or read without them: nothing comes of them. */
    async function judgeAnonymous(check: 'scopes' | 'state', sent: Members): Promise<void> {
      const answer = await client.identity({ ...sent, type: 'anonymous' });
      const own = answer.string('identity_assertion');
      if (own === undefined) {
        // With an email a service may open a claim at once, and issue no assertion before its end.
        judge.expect(check, !answer.ok || 'email' in sent, answer);
        return;
      }
      const exchanged = await client.exchange(own);
      const isRight = !isGranted(exchanged) || scopes.isPreClaim(exchanged);
      judge.expect(check, isRight, exchanged, { case: Object.keys(sent).join(', ') });
    }

    async function judgeByEmail(sent: Members): Promise<void> {
      const login_hint = world.userEmail();
      const answer = await client.identity({ ...sent, type: 'service_auth', login_hint });
      const claimToken = answer.string('claim_token');
      if (claimToken === undefined) {
        judge.expect('state', !answer.ok, answer);
        return;
      }
      const polled = await client.poll(claimToken);
      judge.expect('state', !isGranted(polled), polled, { case: Object.keys(sent).join(', ') });
    }
  },
});

/** As answers and metadata name them. */
const SCOPE_LISTS = ['pre_claim_scopes', 'post_claim_scopes', 'scopes'];

function scopesAsList(scopes: readonly string[]): Members {
  return Object.fromEntries(SCOPE_LISTS.map((name) => [name, scopes]));
}

function scopesAsText(scopes: readonly string[]): Members {
  const text = scopes.join(' ');
  return Object.fromEntries(
    ['scope', 'requested_scope', ...SCOPE_LISTS].map((name) => [name, text]),
  );
}

/** What a registration that was claimed has, by the names of answers and of tables. */
const CLAIMED: Members = {
  status: 'claimed',
  state: 'claimed',
  claimed: true,
  registration_type: 'identity_assertion',
  email_verified: true,
  role: 'admin',
  ver: 2,
};

/** Whose a registration is, as tables name it. */
function ownedBy(email: string): Members {
  return {
    email,
    user_id: '1',
    account_id: '1',
    claimed_at: '2026-01-01T00:00:00Z',
    is_admin: true,
  };
}
