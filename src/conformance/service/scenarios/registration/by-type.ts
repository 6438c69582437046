import { NotApplicable } from '../../../engine/judge.ts';
import { errorCode, isText, member, status, when } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-world.ts';
import {
  ClaimScopes,
  claimOpened,
  collected,
  granted,
  isGranted,
  notGranted,
  pending,
  promisedScopes,
  scopesOf,
} from '../../steps/answers.ts';
import { decideClaim } from '../../steps/open-claim.ts';
import { needClaim, pollPatiently } from '../../steps/polls.ts';

export const anonymous = serviceScenario({
  id: 'anonymous',
  title: 'An agent registers without a user, works, and its user claims the registration',
  checks: {
    registered: 'An anonymous registration is answered 200 with an assertion and a claim token.',
    exchanged: 'The assertion of an anonymous registration is exchanged for an access token.',
    'pre-claim-scope': 'A token from before the claim has the pre-claim scope and no other.',
    'no-escalation': 'Before the claim no exchange gives a scope that only a claim brings.',
    unstarted: 'A poll before any claim was started is answered authorization_pending.',
    'claim-started': 'Claim token and email open a claim attempt with a code and a link.',
    'scope-in-flight': 'While a claim is under way, the assertion still gives the pre-claim scope.',
    pending: 'A poll before the user has decided is answered authorization_pending.',
    claimed: 'After the user has approved, a poll delivers an access token and an assertion.',
    'post-claim-scope': 'The token from the claim has every scope of post_claim_scopes.',
    'second-assertion':
      'The claim brings another assertion than the first, and it can be exchanged.',
    versions: 'The ver claim is 1 in the first assertion and 2 in the one from the claim.',
    'first-assertion-powerless': 'After the claim the first assertion gives no post-claim scope.',
    'first-assertion-refused': 'After the claim the first assertion is answered invalid_grant.',
    'pre-claim-token-dead': 'After the claim the access tokens from before it are answered 401.',
  },
  resting: {
    'anonymous.exchanged': ['scope-in-flight', 'no-escalation'],
    'anonymous.claimed': ['post-claim-scope'],
    'anonymous.second-assertion': ['first-assertion-powerless'],
  },
  async run(judge, world) {
    world.needType('anonymous');
    const { client, facts } = world;
    const registered = await client.registerAnonymous();
    judge.table(registered, {
      registered: [
        status(200),
        member('identity_assertion', isText),
        // Without a claim endpoint a claim token would be of no use.
        member('claim_token', when(facts.claimEndpoint !== undefined, isText)),
      ],
    });
    const first = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const exchanged = await client.exchange(first);
    judge.table(exchanged, { exchanged: granted });
    needClaim(world);
    const claimToken = world.must(registered, 'claim_token', 'an anonymous registration');
    const scopes = new ClaimScopes(registered, exchanged, facts.metadata);
    const preClaimScope = (answer: Answer) => ({
      ok: scopes.isPreClaim(answer),
      expected: `an access token with no other scope than ${scopes.preClaim?.join(' ') ?? 'before'}`,
    });

    judge.table(await client.poll(claimToken), { unstarted: pending });
    const email = world.userEmail();
    const started = await client.startClaim(claimToken, email);
    judge.table(started, { 'claim-started': claimOpened });
    const claim = world.mustClaim(started);
    const inFlight = await client.exchange(first);
    judge.table(inFlight, { 'scope-in-flight': [granted, preClaimScope] });
    judge.table(await client.poll(claimToken), { pending });
    // A service that exchanges nothing escalates nothing.
    if (!isGranted(inFlight)) judge.untestable('no-escalation', 'No exchange gave a token.');
    for (const scope of scopes.postClaimOnly) {
      const answer = await client.exchange(first, { scope });
      const isEscalated = isGranted(answer) && (scopesOf(answer) ?? [scope]).includes(scope);
      if (isEscalated || isGranted(inFlight)) {
        judge.expect('no-escalation', !isEscalated, answer, { case: `scope ${scope}` });
      }
    }
    judge.skip('no-escalation', 'The service names no scope that only a claim brings.');

    await decideClaim(world, { ...claim, email, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    judge.table(claimed, { claimed: collected });
    if (isGranted(claimed)) {
      judge.table(claimed, { 'post-claim-scope': promisedScopes(registered) });
    }
    judgePreClaimScope(scopesOf(exchanged), scopes.after(claimed));

    const second = world.must(claimed, 'identity_assertion', 'a completed claim');
    const again = await client.exchange(second);
    judge.expect('second-assertion', second !== first && isGranted(again), again);
    const jwts = [openJwt(first), openJwt(second)];
    const [before, after] = jwts.map((jwt) => jwt?.claims['ver']);
    const versions = `ver ${JSON.stringify(before)}, then ${JSON.stringify(after)}`;
    if (jwts.includes(undefined)) judge.skip('versions', 'The assertion of the service is no JWT.');
    else judge.expect('versions', before === 1 && after === 2, versions);
    const late = await client.exchange(first);
    judge.table(late, { 'first-assertion-refused': errorCode('invalid_grant') });
    const isPowerless = !isGranted(late) || scopes.isPreClaim(late);
    if (!isPowerless || isGranted(again)) {
      judge.expect('first-assertion-powerless', isPowerless, late);
    }
    const early = exchanged.string('access_token');
    if (early === undefined) return;
    judge.table(await client.call(early), { 'pre-claim-token-dead': status(401) });

    function judgePreClaimScope(less: readonly string[] | undefined, more: readonly string[]) {
      const skip = (reason: string) => judge.skip('pre-claim-scope', reason);
      if (less === undefined) return skip('The service does not say what scope it granted.');
      if (scopes.declared) judge.table(exchanged, { 'pre-claim-scope': preClaimScope });
      if (more.length === 0) return skip('The service does not say what scope a claim brings.');
      // A token is no measure of itself: it has to lack something that the claim brings.
      const grew = more.some((scope) => !less.includes(scope));
      judge.expect('pre-claim-scope', grew, `${less.join(' ')} before and after`, {
        expected: 'fewer scopes before the claim than after it',
        reading: 'The specification names no scopes: a service may have one for both.',
      });
    }
  },
});

export const serviceAuth = serviceScenario({
  id: 'service-auth',
  title: 'An agent registers with an email, and the account of that email completes the claim',
  checks: {
    registered:
      'A service_auth registration is answered 200 with a claim token and a claim with code and link.',
    'nothing-before':
      'Before the claim a service_auth registration has nothing that can be exchanged.',
    pending: 'A poll before the user has decided is answered authorization_pending.',
    claimed: 'After the user has approved, a poll delivers an access token and an assertion.',
    'post-claim-scope': 'The token from the claim has every scope of post_claim_scopes.',
    works: 'The delivered assertion can be exchanged, and the delivered token works.',
  },
  async run(judge, world) {
    world.needType('service_auth');
    const { client } = world;
    const email = world.userEmail();
    const registered = await client.registerByEmail(email);
    judge.table(registered, {
      registered: [claimOpened, { ok: registered.string('claim_token') !== undefined }],
    });
    const claimToken = world.must(registered, 'claim_token', 'a registration by email');
    const claim = world.mustClaim(registered);
    // An assertion that comes early is no fault as long as it is worth nothing.
    for (const early of [registered.string('identity_assertion'), claimToken]) {
      if (early === undefined) continue;
      judge.table(await client.exchange(early), { 'nothing-before': notGranted });
    }
    judge.table(await client.poll(claimToken), { pending });

    await decideClaim(world, { ...claim, email, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    judge.table(claimed, { claimed: collected });
    const assertion = world.must(claimed, 'identity_assertion', 'a completed claim');
    judge.table(claimed, { 'post-claim-scope': promisedScopes(registered) });
    judge.table(await client.exchange(assertion), { works: granted });
    const token = claimed.string('access_token');
    if (token === undefined || world.facts.resource === undefined) return;
    const called = await client.call(token);
    judge.expect('works', called.status !== 401 && called.status !== 403, called);
  },
});

type Members = Readonly<Record<string, unknown>>;

export const sentMembers = serviceScenario({
  id: 'sent-members',
  title: 'What a service decides is not taken from the members of a request',
  checks: {
    scopes: 'Scopes that an anonymous registration brings along are not granted before the claim.',
    state: 'A state that a registration brings along claims nothing.',
  },
  resting: { 'anonymous.pre-claim-scope': ['scopes', 'state'] },
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

/** The lists of scopes, as answers and metadata name them. */
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
