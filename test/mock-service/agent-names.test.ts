import { beforeEach, describe, expect, it } from 'vitest';
import { BASE, ceremonyOf, Harness } from './harness.ts';

const ALICE = 'alice@example.com';
const NAME = 'Cleo, a coding agent';

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});

/** What the controls say of the latest registration. */
async function latest(): Promise<string | undefined> {
  return (await h.service.controls.registrations())[0]?.agentName;
}

async function claimed(members: object): Promise<string> {
  const { body } = await h.register({ type: 'anonymous', ...members });
  const ceremony = ceremonyOf(await h.startClaim(body['claim_token'], ALICE));
  const user = h.user();
  const page = await user.openSignedIn(ceremony.verification_uri, ALICE);
  await user.submit(page, '/agent/identity/claim/complete', {
    user_code: ceremony.user_code,
    decision: 'approve',
  });
  return page.text;
}

describe('the name that an agent gives itself', () => {
  it.each([
    ['client_name', { client_name: NAME }],
    ['agent_name', { agent_name: NAME, client_name: 'other' }],
  ])('is shown as its own words, from %s', async (_member, members) => {
    const claimPage = await claimed(members);
    expect(claimPage).toContain('An agent that registered without naming a user is asking');
    expect(claimPage).toContain(`It calls itself ${NAME}. Nobody has checked that name.`);
    const connections = await h.user().openSignedIn(`${BASE}/connections`, ALICE);
    const heading = connections.document.querySelector('h2')?.text;
    expect(heading).toMatch(/^The agent of registration reg_[\w-]+$/);
    expect(connections.text).toContain(`${NAME} (nobody has checked that name)`);
    expect(await latest()).toBe(NAME);
  });

  it('is left out where there is none to see', async () => {
    for (const client_name of [undefined, '', '  ', '\u200b\u202e']) {
      expect(await claimed({ client_name })).not.toContain('calls itself');
      expect(await latest()).toBeUndefined();
    }
  });

  it('comes with each type of registration, the latest for an ID-JAG of the same subject', async () => {
    const email = ALICE;
    await h.register({ type: 'service_auth', login_hint: email, client_name: 'By email' });
    expect(await latest()).toBe('By email');
    const present = async (client_name?: string) => {
      h.clock.advance(1000);
      const assertion = await h.provider.idJag({ sub: 'one', email: 'made@example.com' });
      const { body } = await h.register({ type: 'identity_assertion', assertion, client_name });
      const id = String(body['registration_id']);
      return (await h.service.controls.registration(id)).agentName;
    };
    expect(await present('First')).toBe('First');
    expect(await present('Second')).toBe('Second');
    const review = await h.user().openSignedIn(`${BASE}/connections`, 'made@example.com');
    expect(review.url).toContain('/connections/review');
    expect(review.text).toContain('Keep the link to Example Provider?');
    expect(review.text).toContain('It calls itself Second. Nobody has checked that name.');
    expect(await present()).toBeUndefined();
  });

  it('never stands in for the name of a provider (AMD-06)', async () => {
    await h.user().openSignedIn(`${BASE}/login`, ALICE);
    const asked = await h.register({
      type: 'identity_assertion',
      assertion: await h.provider.idJag({ email: ALICE }),
      client_name: 'Evil Bank',
    });
    const page = await h.user().openSignedIn(ceremonyOf(asked).verification_uri, ALICE);
    expect(page.text).toContain('An agent of the provider Example Provider is asking');
    expect(page.text).toContain('It calls itself Evil Bank.');
    expect(page.document.querySelectorAll('strong').map(({ text }) => text)).not.toContain(
      'Evil Bank',
    );
  });

  it('is text: no markup, no control or bidi characters, cut', async () => {
    const hostile = `<b>x</b>"'&\u202egnirts\u2066\u0007\u001b[31m\n${'long '.repeat(60)}`;
    const text = await claimed({ client_name: hostile });
    const shown = text.slice(text.indexOf('calls itself'), text.indexOf('Nobody has checked'));
    expect(shown).toContain('<b>x</b>"\'&gnirts long long');
    expect(shown).toMatch(/…\. $/);
    expect(shown.length).toBeLessThan(80);
    const page = await h.user().openSignedIn(`${BASE}/connections`, ALICE);
    expect(page.document.querySelectorAll('main b')).toEqual([]);
    // The controls are for programs: they have it as it was sent.
    expect(await latest()).toBe(hostile);
  });

  it('has at most 512 bytes', async () => {
    for (const member of ['client_name', 'agent_name']) {
      const named = (name: unknown) => h.register({ type: 'anonymous', [member]: name });
      expect((await named('é'.repeat(256))).status).toBe(200);
      const long = await named(`${'é'.repeat(256)}x`);
      expect([long.status, long.body['error']]).toEqual([400, 'invalid_request']);
      expect(long.body['error_description']).toContain(`${member} is longer than 512 bytes`);
      for (const odd of [7, {}, ['x']]) {
        expect((await named(odd)).body['error']).toBe('invalid_request');
      }
      expect((await named('a\u0000b')).body['error']).toBe('invalid_request');
    }
  });
});
