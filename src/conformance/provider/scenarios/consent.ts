import { CannotTest, type Judge, type Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { providerScenario } from '../provider-scenario.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { signedInAt } from '../sign-in.ts';
import { isMinted, isRefused } from '../steps/rows.ts';

export const consent = providerScenario({
  id: 'consent',
  title: 'The provider asks for consent before it mints for a service',
  checks: {
    asked: 'Without the consent of its user an agent gets no ID-JAG.',
    'asked-shape':
      'Without consent, a mint is answered consent_required with a consent_uri at the provider.',
    'page-shows': 'The consent page shows the service and the scopes.',
    'page-text': 'The consent page escapes the requested scopes.',
    'page-framing': 'No other site can frame the pages: frame-ancestors or X-Frame-Options.',
    granted: 'After consent the agent gets an ID-JAG.',
    'per-audience': 'Consent to one service is not consent to another.',
    'per-user': 'Consent of one user is not consent of another.',
    denied: 'After a denial the agent gets no ID-JAG.',
  },
  async run(judge, world) {
    world.needNewcomers();
    const first = world.audience().issuer;
    const session = await world.session();
    const { client, invented } = world;
    const wanted = invented.scope();
    const named = await client.mint(session.idToken, first, { scope: wanted });
    // A provider may refuse a scope that the service does not offer.
    const scope = named.errorCode === 'invalid_scope' ? undefined : wanted;
    const asked = scope === undefined ? await client.mint(session.idToken, first) : named;
    if (asked.errorCode === 'invalid_target') world.must(asked, 'consent_uri', 'a mint');
    const withheld = judge.expect('asked', isRefused(asked), asked);
    if (!withheld) throw new CannotTest('The provider mints without consent.');
    const consentUri = asked.string('consent_uri') ?? '';
    const hasPage =
      URL.canParse(consentUri) && new URL(consentUri).origin === new URL(world.facts.issuer).origin;
    judge.expect('asked-shape', asked.errorCode === 'consent_required' && hasPage, asked);
    if (!hasPage) throw new CannotTest('The provider names no consent page.');

    const visitor = world.visitor();
    const start = await visitor.open(consentUri);
    const page = await signedInAt(visitor, consentUri, session.email);
    const details = [new URL(first).host, ...(scope === undefined ? [] : [scope])];
    judge.table(page.answer, {
      'page-shows': details.map((each) => ({
        ok: page.answer.text.includes(each),
        seen: `not on the page: ${each}`,
      })),
    });
    for (const { answer } of [start, page]) judge.table(answer, { 'page-framing': isUnframed });

    await world.user.consent({ consentUri, email: session.email, decision: 'approve' });
    const granted = await client.mint(session.idToken, first, { scope });
    judge.expect('granted', isMinted(granted), granted);
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
    const otherUser = await world.session(world.freshEmail());
    const theirs = await client.mint(otherUser.idToken, first, { scope });
    judge.expect('per-user', isRefused(theirs), theirs);
  },
});

/** No other site can frame the page (CSP 3 §6.4.2, RFC 7034). */
function isUnframed(answer: Answer): Reading {
  const policy = answer.header('content-security-policy') ?? '';
  const options = answer.header('x-frame-options') ?? '';
  return {
    ok: /frame-ancestors\s+('none'|'self')/i.test(policy) || /^(deny|sameorigin)$/i.test(options),
    seen: `Content-Security-Policy: ${policy || 'none'}, X-Frame-Options: ${options || 'none'}`,
  };
}

async function judgeHostileScope(
  judge: Judge<'page-text'>,
  world: ProviderWorld,
  { email, idToken }: UserSession,
): Promise<void> {
  const audience = world.audience().issuer;
  // A valid scope token (RFC 6749 §3.3) that is an HTML element.
  const element = `<img/src=${world.invented.word()}`;
  const scope = `${element}/onerror=alert(1)>`;
  const asked = await world.client.mint(idToken, audience, { scope });
  const consentUri = asked.string('consent_uri') ?? '';
  if (!URL.canParse(consentUri)) {
    judge.skip('page-text', `The provider refuses a scope that is HTML: ${asked.describe()}.`);
    return;
  }
  const { answer } = await signedInAt(world.visitor(), consentUri, email);
  judge.expect('page-text', !answer.text.includes(element), 'the scope as an element of the page', {
    exchange: answer.exchange,
  });
}
