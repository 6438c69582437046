import { beforeEach, describe, expect, it } from 'vitest';
import type { Page, TestUser } from '../support/test-user.ts';
import { BASE, type Ceremony, ceremonyOf, Harness } from './harness.ts';

const ALICE = 'alice@example.com';
const COMPLETE = '/agent/identity/claim/complete';

let h: Harness;
let ceremony: Ceremony;
let claimToken: unknown;
beforeEach(async () => {
  h = await Harness.start();
  const registered = await h.register({ type: 'service_auth', login_hint: ALICE });
  ceremony = ceremonyOf(registered);
  claimToken = registered.body['claim_token'];
});

/** A browser of Alice on the page of her claim. */
async function browser(): Promise<{ user: TestUser; page: Page }> {
  const user = h.user();
  return { user, page: await user.openSignedIn(ceremony.verification_uri, ALICE) };
}

/** The kind of an outcome, its word and its title. */
function outcome({ document, response }: Page) {
  return [
    response.status,
    document.querySelector('.outcome')?.getAttribute('class'),
    document.querySelector('.word')?.text.trim(),
    document.querySelector('h1')?.text,
  ];
}

const approve = () => ({ user_code: ceremony.user_code, decision: 'approve' });

describe('two browsers on one claim', () => {
  it('the first denies, the second is told when it wants to approve', async () => {
    const [first, second] = [await browser(), await browser()];
    const denied = await first.user.submit(first.page, COMPLETE, { decision: 'deny' });
    h.clock.advance(61_000);
    const late = await second.user.submit(second.page, COMPLETE, approve());
    expect(outcome(denied)).toEqual([200, 'outcome refused', 'Denied', 'Access denied']);
    expect(outcome(late)).toEqual([410, 'outcome expired', 'Too late', 'This was denied before']);
    expect(late.text).toContain('It was denied at 00:00:00 UTC, perhaps in another window.');
    expect((await h.poll(claimToken)).body['error']).toBe('access_denied');
  });

  it('the first approves, the second is told when it wants to deny', async () => {
    const [first, second] = [await browser(), await browser()];
    const approved = await first.user.submit(first.page, COMPLETE, approve());
    const late = await second.user.submit(second.page, COMPLETE, { decision: 'deny' });
    expect(outcome(approved)).toEqual([200, 'outcome done', 'Approved', 'The agent has access']);
    expect(outcome(late)).toEqual([409, 'outcome expired', 'Too late', 'This was approved before']);
    expect((await h.poll(claimToken)).status).toBe(200);
  });

  it('one of several at the same time wins, and each of the others is told', async () => {
    const browsers = await Promise.all(Array.from({ length: 4 }, browser));
    const pages = await Promise.all(
      browsers.map(({ page, user }, at) =>
        user.submit(page, COMPLETE, at % 2 === 0 ? approve() : { decision: 'deny' }),
      ),
    );
    const words = pages.map((page) => String(outcome(page)[2]));
    const isApproved = (await h.poll(claimToken)).status === 200;
    expect(words).toEqual(
      isApproved
        ? ['Approved', 'Too late', 'Approved', 'Too late']
        : ['Too late', 'Denied', 'Too late', 'Denied'],
    );
  });
});

describe('a page left open past the end of its claim', () => {
  it.each([
    ['approve', approve],
    ['deny', () => ({ decision: 'deny' })],
  ])('says so at %s, and until when it was valid', async (_decision, values) => {
    const { page, user } = await browser();
    h.clock.advance(600_000);
    const late = await user.submit(page, COMPLETE, values());
    expect(outcome(late)).toEqual([410, 'outcome expired', 'Expired', 'This link has expired']);
    expect(late.text).toContain('It was valid until 00:10:00 UTC. Nothing was decided.');
  });

  it('counts by the clock of the mock, however it is moved', async () => {
    await h.service.controls.moveClock({ advance: 540_500 });
    const { page } = await browser();
    expect(page.document.querySelector('.countdown')?.getAttribute('class')).toBe(
      'countdown e0-0 e1-6',
    );
    expect(page.text).toContain('1 minute left');
    expect(page.text).toContain('until 00:10:00 UTC');
  });
});

describe('ending access', () => {
  it('is asked once, behind a first press, and then said', async () => {
    await h.complete(ceremony, ALICE);
    const user = h.user();
    const page = await user.openSignedIn(`${BASE}/connections`, ALICE);
    const form = page.document.querySelector('form[action="/connections"]');
    expect(form?.closest('details')?.hasAttribute('open')).toBe(false);
    const after = await user.submit(page, '/connections', {});
    expect(after.document.querySelector('[role=status]')?.text).toContain('Access ended.');
    const elsewhere = await user.open(`${BASE}/connections?ended=reg_unknown`);
    expect(elsewhere.document.querySelector('[role=status]')).toBeNull();
  });

  it("says nothing of another user's registration, and repeats nothing of the URL", async () => {
    await h.complete(ceremony, ALICE);
    const user = h.user();
    const page = await user.openSignedIn(`${BASE}/connections`, ALICE);
    const after = await user.submit(page, '/connections', {});
    const bob = await h.user().openSignedIn(after.url, 'bob@example.com');
    expect(bob.document.querySelector('[role=status]')).toBeNull();
    for (const odd of ['%00', '%3Cb%3Ex', 'x'.repeat(10_000)]) {
      const shown = await user.open(`${BASE}/connections?ended=${odd}`);
      expect([shown.response.status, shown.document.querySelector('[role=status]')]).toEqual([
        200,
        null,
      ]);
    }
  });
});
