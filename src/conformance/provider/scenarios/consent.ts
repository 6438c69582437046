import {
  CannotTest,
  type Judge,
  judgePart,
  NotApplicable,
  type Reading,
  shown,
} from '../../engine/judge.ts';
import { isText } from '../../engine/rows.ts';
import type { Answer } from '../../http/answer.ts';
import { openJwt } from '../../jwt/open.ts';
import { type ProviderWorld, providerScenario, type UserSession } from '../provider-world.ts';
import { signedInAt } from '../sign-in.ts';
import { BY_POLICY, isByPolicy } from '../steps/asked-uri.ts';
import { isMinted, refusedBy } from '../steps/rows.ts';
import type { TestService } from '../test-service.ts';

const WIDER =
  'RFC 6749 §3.3 lets a server give another scope than the requested one, if it says so: its user agreed to this one.';

export const consent = providerScenario({
  id: 'consent',
  title: 'The provider asks for consent before it mints for a service',
  checks: {
    asked: 'Without the consent of its user an agent gets no ID-JAG.',
    'page-shows': 'The consent page shows the service and the scopes.',
    'page-text': 'The consent page escapes the requested scopes.',
    'page-framing': 'No other site can frame the pages: frame-ancestors or X-Frame-Options.',
    granted: 'After consent the agent gets an ID-JAG.',
    scopes: 'Consent to some scopes of a service is not consent to others.',
    narrower: 'A mint for fewer scopes than its user agreed to has no others.',
    'per-audience': 'Consent to one service is not consent to another.',
    'per-user': 'Consent of one user is not consent of another.',
    denied: 'After a denial the agent gets no ID-JAG.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    world.needNewcomers();
    const service = world.audience();
    const first = service.issuer;
    const session = await world.session();
    const { client } = world;
    const refused = refusedBy(world.breaking);
    const [wanted] = service.traits.scopes;
    const named = await client.mint(session.idToken, first, { scope: wanted });
    // A provider that has its own list of the service's scopes may refuse it.
    const scope = named.errorCode === 'invalid_scope' ? undefined : wanted;
    const asked = scope === undefined ? await client.mint(session.idToken, first) : named;
    if (isMinted(asked)) {
      if (isByPolicy(world)) throw new NotApplicable(BY_POLICY);
      judge.expect('asked', false, asked);
      throw new CannotTest('The provider mints without a consent, so there is none to judge.');
    }
    const consentUri = asked.string('consent_uri') ?? '';
    // Refused for another reason: what it is, the error says.
    if (consentUri === '' && asked.errorCode === 'invalid_target') world.mustMint(asked, first);
    const hasPage =
      URL.canParse(consentUri) && new URL(consentUri).origin === new URL(world.facts.issuer).origin;
    if (!hasPage) world.mustMint(asked, first);

    const visitor = world.visitor();
    const start = await visitor.open(consentUri);
    const page = await signedInAt(visitor, consentUri, session.email, world.means);
    judge.table(page.answer, {
      'page-shows': [
        [new URL(first).host, service.traits.name],
        ...(scope === undefined ? [] : [[scope]]),
      ].map((names) => ({
        ok: names.some((name) => page.answer.text.includes(name)),
        seen: `not on the page: ${names.join(' or ')}`,
      })),
    });
    for (const { answer } of [start, page]) judge.table(answer, { 'page-framing': isUnframed });

    const report = await world.user.consent({
      consentUri,
      email: session.email,
      decision: 'approve',
    });
    const granted = await client.mint(session.idToken, first, { scope });
    if (!judge.expect('granted', isMinted(granted), granted)) {
      const status = report.status === undefined ? '' : ` (last page: ${report.status})`;
      throw new CannotTest(
        `The user approved${status}, and the provider still refused to mint: without a consent that counts, its refusals show nothing.`,
      );
    }
    judge.table(asked, { asked: refused });
    await judgePart(judge, ['scopes', 'narrower'], () =>
      judgeOtherScope(judge, world, session, { service, scope, page: page.answer.text }),
    );
    await judgePart(judge, 'page-text', () => judgeHostileScope(judge, world, session));
    await judgePart(judge, ['per-audience', 'denied'], () =>
      judgeSecond(judge, world, session, refused),
    );
    await judgePart(judge, 'per-user', async () => {
      const otherUser = await world.session(world.freshEmail());
      const theirs = await client.mint(otherUser.idToken, first, { scope });
      judge.table(theirs, { 'per-user': refused });
    });
  },
});

/** The user was asked for one scope; the agent asks for another one as well, or for none in particular. */
async function judgeOtherScope(
  judge: Judge<'scopes' | 'narrower'>,
  world: ProviderWorld,
  session: UserSession,
  { page, scope, service }: { service: TestService; scope: string | undefined; page: string },
): Promise<void> {
  const other = service.traits.scopes.find((each) => each !== scope);
  if (scope === undefined || other === undefined) {
    throw new NotApplicable("The provider knows other scopes of the suite's services.");
  }
  if (page.includes(other)) {
    throw new NotApplicable('The consent page asked for every scope of the service.');
  }
  const both = `${scope} ${other}`;
  const judgeGranted = (name: 'scopes' | 'narrower', answer: Answer, asked = '') => {
    const granted = scopeOf(answer);
    const isBeyond = isText(granted) && granted.split(' ').includes(other);
    return judge.expect(name, !isBeyond, `an ID-JAG with the scope ${shown(granted)}`, {
      case: asked === '' ? 'without a scope' : `scope ${asked}`,
      exchange: answer.exchange,
      reading: name === 'narrower' && isText(answer.string('scope')) ? WIDER : undefined,
    });
  };
  for (const asked of [both, other, undefined]) {
    const answer = await world.client.mint(session.idToken, service.issuer, { scope: asked });
    if (!judgeGranted('scopes', answer, asked)) return;
  }
  const wide = await world.mintWithConsent(session, service.issuer, { scope: both });
  if (scopeOf(wide) === undefined) {
    throw new NotApplicable(`Both scopes of the service are not granted: ${wide.describe()}.`);
  }
  const narrow = await world.client.mint(session.idToken, service.issuer, { scope });
  judgeGranted('narrower', narrow, scope);
}

function scopeOf(answer: Answer): unknown {
  const token = answer.string('access_token');
  return token === undefined ? undefined : openJwt(token)?.claims['scope'];
}

/** Judges a second service, which the user then denies. */
async function judgeSecond(
  judge: Judge<'per-audience' | 'denied'>,
  world: ProviderWorld,
  { email, idToken }: UserSession,
  refused: (answer: Answer) => Reading,
): Promise<void> {
  const { client, user } = world;
  const second = world.audience().issuer;
  const other = await client.mint(idToken, second);
  if (!judge.table(other, { 'per-audience': refused })) return;
  const consentUri = other.string('consent_uri');
  if (consentUri === undefined || !URL.canParse(consentUri)) {
    throw new CannotTest(
      `A mint for a second service was answered ${other.describe()}, without a consent_uri where its user could deny.`,
    );
  }
  await user.consent({ consentUri, email, decision: 'deny' });
  judge.table(await client.mint(idToken, second), { denied: refused });
}

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
  const service = world.audience();
  // A valid scope token (RFC 6749 §3.3) that is an HTML element; the service offers it.
  const element = `<img/src=${world.invented.word()}`;
  const scope = `${element}/onerror=alert(1)>`;
  service.metadata = { scopes_supported: [scope] };
  const asked = await world.client.mint(idToken, service.issuer, { scope });
  const consentUri = asked.string('consent_uri') ?? '';
  if (!URL.canParse(consentUri)) {
    judge.skip('page-text', `The provider refuses a scope that is HTML: ${asked.describe()}.`);
    return;
  }
  const { answer } = await signedInAt(world.visitor(), consentUri, email, world.means);
  judge.expect(
    'page-text',
    !answer.text.includes(element),
    'the scope as an element of the page',
    answer,
  );
}

export const consentRevoked = providerScenario({
  id: 'consent-revoked',
  title: 'A user revokes a consent',
  checks: {
    accepted: 'The consent_revocation_endpoint takes the request of an agent.',
    answer:
      'The consent_revocation_endpoint answers with the audience and, as a boolean, whether a consent was revoked.',
    refused: 'After a consent is revoked, the agent gets no ID-JAG for that service.',
    apart: 'To give or revoke the consent to one service leaves that to another as it is.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const [one, other] = [world.audience().issuer, world.audience().issuer];
    const session = await world.session();
    const isRefused = refusedBy(world.breaking);
    await world.idJag(session, one);
    await world.idJag(session, other);
    const stillThere = (audience: string, what: string) =>
      judgePart(judge, 'apart', async () => {
        const answer = await world.client.mint(session.idToken, audience);
        judge.expect('apart', isMinted(answer), answer, { case: what });
      });
    await stillThere(one, 'the first, after the consent to a second one');
    const answered = await world.revoke(session, one);
    if (answered === undefined) {
      judge.skip(
        ['accepted', 'answer'],
        'The metadata of the provider names no consent_revocation_endpoint.',
      );
    } else {
      judgeAnswer(judge, answered, one);
    }
    const refused = await world.client.mint(session.idToken, one);
    judge.table(refused, { refused: isRefused });
    await stillThere(other, 'the second, after that to the first was revoked');
    if (answered?.ok === true) {
      const again = await world.client.revokeConsent(session.idToken, one);
      judge.table(again, { answer: isReadable(one) }, { case: 'revoked again' });
    }
  },
});

/** @throws CannotTest where the agent's request is refused, so that nothing was revoked. */
function judgeAnswer(judge: Judge<'accepted' | 'answer'>, answer: Answer, audience: string): void {
  if (!judge.expect('accepted', answer.ok, answer)) {
    throw new CannotTest(`The revocation of a consent was answered ${answer.describe()}.`);
  }
  const wasRevoked = {
    ok: answer.member('revoked') !== false,
    expected: 'revoked: true, since the user had consented.',
  };
  judge.table(answer, { answer: [isReadable(audience), wasRevoked] });
}

/** Whether an answer can be read as an agent reads it, which takes any `event` or none. */
const isReadable =
  (audience: string) =>
  (answer: Answer): Reading => ({
    ok:
      answer.ok &&
      answer.errorCode === undefined &&
      answer.member('audience') === audience &&
      typeof answer.member('revoked') === 'boolean',
    expected: `2xx with { "audience": "${audience}", "revoked": true or false }`,
  });
