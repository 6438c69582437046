import { describe, expect, it } from 'vitest';
import { ceremonyOf, Harness } from './harness.ts';

const ALICE = 'alice@example.com';

async function opened(codeFormat?: string) {
  const h = await Harness.start(codeFormat === undefined ? {} : { codeFormat });
  const { body } = await h.register({ type: 'anonymous' });
  const claimToken = body['claim_token'];
  return { h, claimToken, ceremony: ceremonyOf(await h.startClaim(claimToken, ALICE)) };
}

describe('the format of user codes', () => {
  it.each([
    [undefined, /^\d{6}$/, '123 456'],
    ['digits:8', /^\d{8}$/, '1234 5678'],
    ['letters:8', /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/, 'WDJB-MJHT'],
    ['letters:6', /^[BCDFGHJKLMNPQRSTVWXZ]{3}-[BCDFGHJKLMNPQRSTVWXZ]{3}$/, 'WDJ-BMJ'],
    ['letters:5', /^[BCDFGHJKLMNPQRSTVWXZ]{5}$/, 'WDJBM'],
  ])('is %s on the wire, on the page and in the skill file', async (format, pattern, sample) => {
    const { ceremony, h } = await opened(format);
    expect(ceremony.user_code).toMatch(pattern);
    const page = await h.user().openSignedIn(ceremony.verification_uri, ALICE);
    const field = page.document.querySelector('input[name=user_code]');
    expect(field?.getAttribute('placeholder')).toBe(sample);
    expect(field?.getAttribute('inputmode')).toBe(
      format?.startsWith('letters') ? undefined : 'numeric',
    );
    expect((await h.send('GET', '/auth.md')).body['text']).toContain(`shown as \`${sample}\``);
    expect((await h.complete(ceremony, ALICE)).text).toContain('The agent has access');
  });

  it('takes letters in any case and with any separators', async () => {
    const { ceremony, claimToken, h } = await opened('letters:8');
    const [one = '', two = ''] = ceremony.user_code.toLowerCase().split('-');
    await h.complete(ceremony, ALICE, ` ${one.slice(0, 1)} ${one.slice(1)}–${two} `);
    expect((await h.poll(claimToken)).status).toBe(200);
  });

  it('does not count what is no code of its format', async () => {
    const { ceremony, h } = await opened('letters:8');
    for (const typed of ['', '12345678', 'BCDF-GHJ', 'AEIO-UAEI', 'BCDF-GHJKL']) {
      const page = await h.complete(ceremony, ALICE, typed);
      expect(page.text).toContain('A code has eight letters.');
    }
    const wrong = ceremony.user_code === 'BBBB-BBBB' ? 'CCCC-CCCC' : 'BBBB-BBBB';
    expect((await h.complete(ceremony, ALICE, wrong)).text).toContain('4 tries are left');
  });

  it.each([
    ['digits:5'],
    ['digits:06'],
    ['digits:13'],
    ['letters:4'],
    ['letters:13'],
    ['emoji:6'],
    ['digits'],
  ])('is not %s: it would be guessed, or mistyped', async (codeFormat) => {
    await expect(Harness.start({ codeFormat })).rejects.toThrow(
      `codeFormat cannot be "${codeFormat}". Use digits:6 to digits:12, or letters:5 to letters:12`,
    );
  });
});
