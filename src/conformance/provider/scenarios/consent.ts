import { CannotTest, type Judge } from '../../engine/judge.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { signedInAt } from '../sign-in.ts';
import { isRefused } from './mint-refusals.ts';

export const consent = providerScenario({
  id: 'consent',
  title: 'The user is asked before an agent may name them to a service',
  checks: {
    asked: 'Before its user has agreed, an agent gets no ID-JAG.',
    'asked-shape': 'It is told consent_required, with the address of a page of the provider.',
    'page-shows': 'The page shows the service and the scopes.',
    'page-text': 'The page shows what was asked for as text.',
    'page-framing': 'No other site can put the pages into a frame.',
    granted: 'Once its user has agreed, the agent gets its ID-JAG.',
    'per-audience': 'Agreeing to one service is not agreeing to another.',
    'per-user': 'One user agreeing is not another one agreeing.',
    denied: 'Once its user has refused, the agent gets no ID-JAG.',
  },
  async run(judge, world) {
    world.needNewcomers();
    const first = world.audience().issuer;
    const session = await world.session();
    const { client, invented } = world;
    const wanted = invented.scope();
    const named = await client.mint(session.idToken, first, { scope: wanted });
    // A provider may know what a service offers, and ask for nothing else.
    const scope = named.errorCode === 'invalid_scope' ? undefined : wanted;
    const asked = scope === undefined ? await client.mint(session.idToken, first) : named;
    if (asked.errorCode === 'invalid_target') world.must(asked, 'consent_uri', 'a mint');
    const withheld = judge.expect('asked', isRefused(asked), asked);
    if (!withheld) throw new CannotTest('The provider mints without asking.');
    const consentUri = asked.string('consent_uri') ?? '';
    const hasPage =
      URL.canParse(consentUri) && new URL(consentUri).origin === new URL(world.facts.issuer).origin;
    judge.expect('asked-shape', asked.errorCode === 'consent_required' && hasPage, asked, {
      expected: `400 consent_required with a consent_uri on ${world.facts.issuer}`,
    });
    if (!hasPage) throw new CannotTest('There is no page where the user could agree.');

    const visitor = world.visitor();
    const start = await visitor.open(consentUri);
    const page = await signedInAt(visitor, consentUri, session.email);
    const { text, exchange } = page.answer;
    const toBeShown: readonly (readonly [what: string, shown: string])[] = [
      ['the service', new URL(first).host],
      ...(scope === undefined ? [] : [['the scope', scope] as const]),
    ];
    for (const [what, shown] of toBeShown) {
      judge.expect('page-shows', text.includes(shown), 'a page without it', {
        expected: `${what}, ${shown}, on the page`,
        exchange,
      });
    }
    for (const { answer } of [start, page]) {
      const policy = answer.header('content-security-policy') ?? '';
      const options = answer.header('x-frame-options') ?? '';
      const closed =
        /frame-ancestors\s+('none'|'self')/i.test(policy) || /^(deny|sameorigin)$/i.test(options);
      judge.expect(
        'page-framing',
        closed,
        `Content-Security-Policy ${policy || 'missing'}, X-Frame-Options ${options || 'missing'}`,
        { exchange: answer.exchange },
      );
    }

    await world.user.consent({ consentUri, email: session.email, decision: 'approve' });
    const granted = await client.mint(session.idToken, first, { scope });
    judge.expect('granted', granted.string('access_token') !== undefined, granted);
    const second = world.audience().issuer;
    await judgeHostileScope(judge, world, session);
    const other = await client.mint(session.idToken, second);
    judge.expect('per-audience', isRefused(other), other);
    const refused = other.string('consent_uri');
    if (refused !== undefined && URL.canParse(refused)) {
      await world.user.consent({ consentUri: refused, email: session.email, decision: 'deny' });
      const denied = await client.mint(session.idToken, second);
      judge.expect('denied', isRefused(denied), denied);
    }
    const stranger = await world.session(world.freshEmail());
    const theirs = await client.mint(stranger.idToken, first, { scope });
    judge.expect('per-user', isRefused(theirs), theirs);
  },
});

async function judgeHostileScope(
  judge: Judge<'page-text'>,
  world: ProviderWorld,
  { email, idToken }: UserSession,
): Promise<void> {
  const audience = world.audience().issuer;
  // A word of a scope (RFC 6749 §3.3) that is an element of HTML.
  const element = `<img/src=${world.invented.word()}`;
  const scope = `${element}/onerror=alert(1)>`;
  const asked = await world.client.mint(idToken, audience, { scope });
  const consentUri = asked.string('consent_uri') ?? '';
  if (!URL.canParse(consentUri)) {
    judge.skip('page-text', `A scope that is HTML is refused before a page: ${asked.describe()}.`);
    return;
  }
  const { answer } = await signedInAt(world.visitor(), consentUri, email);
  judge.expect('page-text', !answer.text.includes(element), 'the scope as an element of the page', {
    exchange: answer.exchange,
  });
}
