import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { transportProblem, wireProblem } from '../../../src/mock/http/response.ts';
import { assetRoutes } from '../../../src/mock/pages/asset-routes.ts';
import { countdownView } from '../../../src/mock/pages/countdown-view.ts';
import { FAVICON_PATH } from '../../../src/mock/pages/favicon.ts';
import { misdirectedPage } from '../../../src/mock/pages/misdirected-page.ts';
import { outcomeView } from '../../../src/mock/pages/outcome-view.ts';
import { page } from '../../../src/mock/pages/page.ts';
import { pageEnvelope } from '../../../src/mock/pages/page-envelope.ts';
import type { Site } from '../../../src/mock/pages/site.ts';
import { STYLE_PATH } from '../../../src/mock/pages/style.ts';

const site: Site = { name: 'Shop "A" & <i>Co</i>', role: 'Mock service', homePath: '/connections' };

describe('a page', () => {
  it('allows no script, no frame, nothing from elsewhere, and is not kept', async () => {
    const { headers } = await page(site, { title: 'T', body: html`<p>x</p>` });
    expect(Object.fromEntries(headers)).toEqual({
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
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

describe('what every page links to', () => {
  const [style, favicon] = assetRoutes(site);

  it('is a style sheet of the app, which asks nothing from elsewhere', async () => {
    const response = await style?.handle(undefined as never);
    expect(style?.path).toBe(STYLE_PATH);
    expect(response?.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const text = (await response?.text()) ?? '';
    expect(text).not.toMatch(/url\(|@import/);
    expect(text.length).toBeLessThan(14_000);
  });

  it('and an icon, in another colour for each mock', async () => {
    const text = await (await favicon?.handle(undefined as never))?.text();
    expect(favicon?.path).toBe(FAVICON_PATH);
    expect(text).toMatch(/^<svg .*<\/svg>$/);
    const [, other] = assetRoutes({ ...site, role: 'Mock provider' });
    expect(await (await other?.handle(undefined as never))?.text()).not.toBe(text);
  });
});

describe('a countdown', () => {
  const until = Date.UTC(2026, 0, 2, 0, 5, 0);
  const shown = async (timeLeft: number) => {
    const view = await countdownView({ timeLeft, until, lifetime: 600_000, over: 'Over.' });
    const document = parse(String(view));
    return {
      classes: document.querySelector('.countdown')?.getAttribute('class'),
      bar: document.querySelector('.bar')?.getAttribute('viewBox'),
      left: document.querySelector('rect')?.getAttribute('width'),
      text: document.textContent.replace(/\s+/g, ' ').trim(),
    };
  };

  it('says the time in words, and when it ends by the clock of the mock', async () => {
    expect(await shown(570_000)).toEqual({
      classes: 'countdown e0-0 e1-7 e2-5',
      bar: '0 0 600 1',
      left: '570',
      text: '9 minutes 30 seconds left until 2026-01-02 00:05:00 UTC by the server’s clock',
    });
    expect((await shown(60_000)).text).toContain('1 minute left until 00:05:00 UTC');
  });

  it('counts whole seconds up, the hours apart, and no longer than the style sheet can', async () => {
    expect((await shown(569_001)).left).toBe('570');
    expect((await shown(3_600_000)).classes).toBe('countdown e0-0 e1-0 e2-6 e3-3 hours');
    expect(await shown(100_000_000)).toMatchObject({ classes: 'countdown still hours' });
    expect(await shown(-5)).toMatchObject({
      left: '0',
      text: expect.stringMatching(/^less than a second left/),
    });
  });

  it('has a rule for each digit', async () => {
    const text = await (await assetRoutes(site)[0]?.handle(undefined as never))?.text();
    for (let exponent = 0; exponent < 5; exponent += 1) {
      for (let digit = 1; digit < 10; digit += 1) {
        expect(text).toContain(`.e${exponent}-${digit}{--e${exponent}:${digit}}`);
      }
    }
  });
});

describe('an outcome', () => {
  it('differs by class, picture and word', async () => {
    const seen = await Promise.all(
      (['done', 'refused', 'expired', 'failed'] as const).map(async (kind) => {
        const view = outcomeView({ kind, title: 'T', text: 'x' });
        const document = parse(String(await view));
        const word = document.querySelector('.word');
        expect(word?.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
        return [kind, word?.text.trim(), word?.querySelector('svg')?.innerHTML];
      }),
    );
    for (const column of [0, 1, 2]) {
      expect(new Set(seen.map((row) => row[column])).size).toBe(4);
    }
  });
});

describe('the page for a wrong host', () => {
  it('loads nothing, and its policy allows its one style alone', async () => {
    const response = misdirectedPage();
    const text = await response.text();
    const style = /<style>(.*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.status).toBe(421);
    expect(response.headers.get('content-security-policy')).toContain(
      `default-src 'none'; style-src 'sha256-${hash}';`,
    );
    expect(text).not.toMatch(/href=|src=/);
  });
});

describe('an error page', () => {
  it('has the status, the text and the code of the problem', async () => {
    const problem = wireProblem('complete', 'claim_attempt_expired');
    const response = await pageEnvelope(site)(problem, new Request('https://mock.example/claim'));
    expect(response.status).toBe(410);
    const document = parse(await response.text());
    expect(document.querySelector('h1')?.text).toBe('This link has expired');
    expect(document.querySelector('main')?.text).toContain(problem.description);
    expect(document.querySelector('main code')?.text).toBe('claim_attempt_expired');
  });

  it('keeps the headers of the problem', async () => {
    const request = new Request('https://mock.example/claim');
    const response = await pageEnvelope(site)(transportProblem('unavailable'), request);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});
