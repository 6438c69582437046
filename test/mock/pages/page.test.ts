import { html } from 'hono/html';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import {
  page,
  pageEnvelope,
  type Site,
  STYLE_PATH,
  styleRoute,
  transportProblem,
  wireProblem,
} from '../../../src/mock/index.ts';

const site: Site = { name: 'Shop "A" & <i>Co</i>', role: 'Mock service', homePath: '/connections' };

describe('a page', () => {
  it('allows no script, no frame, nothing from elsewhere, and is not kept', async () => {
    const { headers } = await page(site, { title: 'T', body: html`<p>x</p>` });
    expect(Object.fromEntries(headers)).toEqual({
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'content-type': 'text/html; charset=utf-8',
      pragma: 'no-cache',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    '</title><script>alert(1)</script>',
    '&lt;b&gt; &amp;',
  ])('shows %s as text wherever it stands (A-30)', async (hostile) => {
    const body = html`<h1>${hostile}</h1><input value="${hostile}">`;
    const response = await page({ ...site, name: hostile }, { title: hostile, body });
    const document = parse(await response.text());
    expect(document.querySelectorAll('script, img, b, [onerror], [onmouseover]')).toEqual([]);
    expect(document.querySelector('h1')?.textContent).toBe(hostile);
    expect(document.querySelector('input')?.getAttribute('value')).toBe(hostile);
    expect(document.querySelector('header a')?.textContent).toBe(hostile);
  });

  it('has no inline style or script, which its own policy would forbid', async () => {
    const text = await (await page(site, { title: 'T', body: html`` })).text();
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
    expect(text).toContain(`<link rel="stylesheet" href="${STYLE_PATH}">`);
    expect(text).toContain('<html lang="en">');
  });
});

describe('the style sheet', () => {
  it('is served from the app and asks nothing from elsewhere', async () => {
    const { path, handle } = styleRoute(site);
    const response = await handle(undefined as never);
    expect(path).toBe(STYLE_PATH);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await response.text()).not.toMatch(/url\(|@import/);
  });
});

describe('an error page', () => {
  it('has the status, the text and the code of the problem', async () => {
    const problem = wireProblem('complete', 'claim_attempt_expired');
    const response = await pageEnvelope(site)(problem, new Request('https://mock.example/claim'));
    expect(response.status).toBe(410);
    const document = parse(await response.text());
    expect(document.querySelector('h1')?.text).toBe('This link is no longer valid');
    expect(document.querySelector('main')?.text).toContain(problem.description);
    expect(document.querySelector('main code')?.text).toBe('claim_attempt_expired');
  });

  it('keeps the headers of the problem', async () => {
    const request = new Request('https://mock.example/claim');
    const response = await pageEnvelope(site)(transportProblem('unavailable'), request);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});
