import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/protocol/index.ts';
import type { Page } from '../support/test-user.ts';
import { Harness, ISSUER } from './harness.ts';

const ALICE = 'alice@example.com';

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});

function outcome({ document, response }: Page) {
  return [
    response.status,
    document.querySelector('.outcome')?.getAttribute('class'),
    document.querySelector('h1')?.text,
  ];
}

const CODE_CLOSED = [400, 'outcome expired', 'This code is no longer open'];
const CONSENT_CLOSED = [404, 'outcome expired', 'This request is no longer open'];

describe('a sign-in that is no longer open', () => {
  const open = async (link: string) => {
    const user = h.newUser();
    return { user, page: await user.openSignedIn(link, ALICE) };
  };

  it('says so on a page left open past its end', async () => {
    const { verification_uri_complete: link } = await h.device();
    const { page, user } = await open(link);
    expect(page.text).toContain('10 minutes left');
    h.clock.advance(10 * MINUTE);
    expect(outcome(await user.submit(page, '/device', { decision: 'deny' }))).toEqual(CODE_CLOSED);
  });

  it('says so to the second of two browsers that decide otherwise', async () => {
    const { verification_uri_complete: link } = await h.device();
    const [first, second] = [await open(link), await open(link)];
    const approved = await first.user.submit(first.page, '/device', { decision: 'approve' });
    const late = await second.user.submit(second.page, '/device', { decision: 'deny' });
    expect(outcome(approved)).toEqual([200, 'outcome done', 'Your agent is signed in']);
    expect(outcome(late)).toEqual(CODE_CLOSED);
  });

  it('still asks for the code again where a code was typed', async () => {
    const { page, user } = await open(`${ISSUER}/device`);
    const wrong = await user.submit(page, '/device', { user_code: 'BBBB-BBBB' });
    expect(wrong.document.querySelector('input[name=user_code]')).not.toBeNull();
  });
});

describe('a consent request that is no longer open', () => {
  const asked = async () => String((await h.mint(await h.signIn())).body['consent_uri']);

  it('says so on a page left open past its end', async () => {
    const user = h.newUser();
    const page = await user.openSignedIn(await asked(), ALICE);
    expect(page.text).toContain('1 hour left');
    h.clock.advance(HOUR);
    const late = await user.submit(page, '/consent', { decision: 'approve' });
    expect(outcome(late)).toEqual(CONSENT_CLOSED);
    expect((await h.mint(await h.signIn())).body['error']).toBe('consent_required');
  });

  it('says so to the second of two browsers that decide otherwise', async () => {
    const link = await asked();
    const [one, other] = [h.newUser(), h.newUser()];
    const pages = [await one.openSignedIn(link, ALICE), await other.openSignedIn(link, ALICE)];
    const [first, second] = pages;
    if (first === undefined || second === undefined) throw new Error('There are two pages.');
    const denied = await one.submit(first, '/consent', { decision: 'deny' });
    const late = await other.submit(second, '/consent', { decision: 'approve' });
    expect(outcome(denied)).toEqual([200, 'outcome refused', 'Consent denied']);
    expect(outcome(late)).toEqual(CONSENT_CLOSED);
  });

  it('is revoked behind a first press alone', async () => {
    await h.consented();
    const page = await h.newUser().openSignedIn(`${ISSUER}/consents`, ALICE);
    const form = page.document.querySelector('form[action="/consents"]');
    expect(form?.closest('details')?.hasAttribute('open')).toBe(false);
  });
});
