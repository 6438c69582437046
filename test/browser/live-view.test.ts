import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { JWT_BEARER_GRANT } from '../../src/protocol/constants.ts';
import { ExchangeLog } from '../../src/traffic/index.ts';
import { LivePlace } from '../live/live-place.ts';
import { stageMidFlow } from '../live/stage.ts';
import { at, stagedRegistration, stagedSnapshot } from '../live/staged-snapshot.ts';
import { describeWithChromium } from '../support/chromium.ts';
import { until } from '../support/until.ts';
import { tooWide, violations } from './judge-page.ts';
import { describeAtDesk } from './with-browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };
const TABS = ['registrations', 'mails', 'controls'] as const;
const NOW = Date.UTC(2026, 0, 5, 9, 30);
/** Markup, an escape, an override of direction, and no place to break. */
const HOSTILE = `<img src=x onerror="document.title='taken'">\u001b[31m\u202e${'w'.repeat(10_000)}`;

describeAtDesk('the live view of both mocks', (desk) => {
  it('shows a claim while it is made, with its code, and its buttons decide', async () => {
    const { browser, terminal } = desk();
    const mocks = terminal.start('mock', 'up', '--port', '0');
    const { live, service } = (await mocks.next()) as { live: string; service: string };
    const page = await browser.newPage();
    await page.goto(live);
    await page.getByText('Nothing has been sent yet.').waitFor();

    const claim = terminal.start('connect', service, '--claim', '--email', 'alice@example.com');
    await page.getByText('POST /agent/identity', { exact: true }).first().waitFor();
    const code = page.locator('.user-code');
    await code.waitFor();
    expect(await code.innerText()).toMatch(/^\d{3} \d{3}$/);
    const link = page.getByRole('link', { name: 'Open the page' });
    expect(await link.getAttribute('rel')).toContain('noopener');

    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByText('The registration is claimed now.').waitFor();
    expect(await claim.exitCode).toBe(0);
    await page.locator('.registrations .state-claimed').waitFor();
    // What the button did stands in the lane of the user, before the poll that tells the agent.
    await page.locator('.row.tone-change .state-claimed').waitFor();
    await page.locator('.row.tone-done .state-claimed').waitFor();
    await code.waitFor({ state: 'detached' });
  });

  it('says why an ID-JAG was refused, claim by claim, where the answer does not', async () => {
    const { browser, terminal } = desk();
    const mocks = terminal.start('mock', 'up', '--port', '0');
    const { live, service } = (await mocks.next()) as { live: string; service: string };
    const page = await browser.newPage();
    await page.goto(live);
    const minting = ['mock', 'mint', '--client-id', 'app', '--claim', `aud="${service}/"`];
    const { id_jag: assertion } = await terminal.start(...minting).next();
    const answer = await fetch(`${service}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('app:a-test-secret')}` },
      body: new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion: String(assertion) }),
    });
    expect(await answer.text()).not.toContain('aud');
    await page.locator('.row', { hasText: 'invalid_grant: aud is' }).click();
    const why = await page.getByRole('region', { name: 'redemption.refused' }).innerText();
    expect(why.split('\n')).toEqual(
      expect.arrayContaining([`"${service}/"`, `${service} alone, without a final slash`]),
    );
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await tooWide(page)).toEqual([]);
  });
});

describeWithChromium('the page of the live view', (executablePath) => {
  let browser: Browser;
  let page: Page;
  let close: (() => Promise<void>) | undefined;
  const refused: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await page.context().close();
    await close?.();
    close = undefined;
    expect(refused.splice(0)).toEqual([]);
  });

  async function visit(place: LivePlace, viewport = WIDE): Promise<void> {
    close = place.close;
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(String(error)));
    await page.goto(place.view.link());
    await page.getByText('Live', { exact: true }).waitFor();
  }

  const empty = () =>
    LivePlace.open({
      root: ROOT,
      snapshot: stagedSnapshot({ now: NOW }),
      log: new ExchangeLog(20_000),
    });
  const rows = () => page.locator('[role=option]');
  const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');

  it('is for everybody: light, dark, wide, and 320 pixels without scrolling sideways', async () => {
    const { place } = await stageMidFlow(ROOT);
    const finding = {
      requirement: 'r',
      also: [],
      level: 'must',
      by: 'agent',
      message: 'm',
    } as const;
    for (let seq = 1; seq <= place.log.latest; seq += 1) {
      place.source.found.set(seq, [{ ...finding, seq, times: 1 }]);
    }
    await visit(place);
    await page.locator('.finding').first().waitFor();
    // A line is as high as its words: what does not fit is cut off, and no scrolling shows it.
    const cutOff = () =>
      page.evaluate<readonly string[]>(`[...document.querySelectorAll('.row')].flatMap((row) => {
        const { bottom, top } = row.getBoundingClientRect();
        const words = row.querySelector('.words').getBoundingClientRect();
        return words.top < top || words.bottom > bottom ? [row.textContent] : [];
      })`);
    expect(await cutOff()).toEqual([]);
    for (const tab of TABS) {
      await page.locator(`#tab-${tab}`).click();
      if (tab === 'registrations') await page.locator('.unfold').first().click();
      if (tab === 'controls') await page.getByText('Faults').first().click();
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await violations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(page, ['color-contrast'])).toEqual([]);
    }
    await page.setViewportSize(NARROW);
    for (const tab of ['exchanges', ...TABS]) {
      await page.locator(`#tab-${tab}`).click();
      expect(await tooWide(page)).toEqual([]);
    }
    await page.locator('#tab-exchanges').click();
    expect(await violations(page)).toEqual([]);
    expect(await cutOff()).toEqual([]);
    await rows().last().click();
    await page.getByRole('button', { name: 'Close the details' }).waitFor();
    expect(await tooWide(page)).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });

  it('marks what is chosen and pressed where colours are forced', async () => {
    const { place } = await stageMidFlow(ROOT);
    await visit(place);
    await page.emulateMedia({ forcedColors: 'active' });
    const edgeOf = (selector: string, edge: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${edge}')`,
      );
    const chosen = await edgeOf('.tab[aria-current=true]', 'border-bottom-color');
    expect(await edgeOf('.tab[aria-current=false]', 'border-bottom-color')).not.toBe(chosen);
    expect(await edgeOf('.badge', 'border-top-width')).toBe('1px');
    await page.getByRole('button', { name: 'Errors only' }).click();
    expect(await edgeOf('button[aria-pressed=true]', 'outline-style')).toBe('solid');
  });

  it('shows an exchange with what is known of it, by keyboard alone', async () => {
    const { place, poll } = await stageMidFlow(ROOT);
    await visit(place);
    while ((await page.evaluate('document.activeElement?.getAttribute("role")')) !== 'listbox') {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator(':focus').ariaSnapshot()).toMatch(
      /09:41:15 POST \/oauth2\/token agent to service 400 not yet × 7 times registration reg_\S+… authorization_pending: /,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'POST /oauth2/token' }).waitFor();
    expect(await focused()).toBe('POST /oauth2/token');
    const details = page.getByRole('region', { name: 'POST /oauth2/token' });
    expect(await details.innerText()).toMatch(/last of 7 alike[\s\S]*RFC 8628[\s\S]*secret~/);
    // A form, not JSON.
    expect(await details.innerText()).toMatch(/urlencoded\s+grant_type=.*\s+&claim_token=secret~/);
    // Its details stay beside the exchanges of its registration (they closed).
    await details.getByRole('button', { name: /^reg_/ }).click();
    await page.getByRole('button', { name: /^No longer only reg_/ }).waitFor();
    expect(await details.count()).toBe(1);
    // The chip goes when it is pressed, and the focus stays beside it (it was lost).
    await page.getByRole('button', { name: /^No longer only reg_/ }).press('Enter');
    await page.getByLabel('Find in exchanges').and(page.locator(':focus')).waitFor();
    await details.getByRole('button', { name: /^reg_/ }).click();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement?.getAttribute("role")')).toBe('option');
    // The tabs stay in reach beside an open exchange.
    await page.keyboard.press('Enter');
    await details.waitFor();
    await page.locator('#tab-controls').click();
    await details.waitFor({ state: 'detached' });
    expect(await page.locator('#tab-controls').getAttribute('aria-current')).toBe('true');
    // One more of them comes while it is looked at.
    await poll();
    await page.getByText('× 8').waitFor();
  });

  it('shows how what is looked at goes on, and keeps the focus near to where it was', async () => {
    const place = await empty();
    const coming = { headers: {}, body: 'The beg', bodyState: 'incomplete', bytes: 7 } as const;
    place.add({ response: coming });
    await visit(place);
    await rows().click();
    const details = page.locator('.details');
    await details.getByText('or is still coming').waitFor();
    place.add({ response: { ...coming, body: 'The end.', bodyState: 'whole' } }, 1);
    await details.getByText('The end.').waitFor();
    await page.keyboard.press('Escape');
    const find = page.getByLabel('Find in exchanges');
    await find.fill('nothing has this');
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await rows().waitFor();
    await find.and(page.locator(':focus')).waitFor();
    await page.locator('#tab-controls').click();
    await page.getByRole('button', { name: '+1m' }).press('Enter');
    await page.getByRole('button', { name: 'Put it away' }).press('Enter');
    await find.and(page.locator(':focus')).waitFor();
  });

  it('keeps its tabs in reach at 375 pixels too (an open exchange covered them until Escape)', async () => {
    const { place } = await stageMidFlow(ROOT);
    await visit(place, { width: 375, height: 667 });
    const details = page.locator('.details');
    for (const tab of ['mails', 'exchanges'] as const) {
      await page.locator('#tab-exchanges').click();
      await rows().last().click();
      await details.waitFor();
      await page.locator(`#tab-${tab}`).click();
      await details.waitFor({ state: 'detached' });
      await page.locator(`#pane-${tab}`).waitFor();
    }
  });

  it('shows a stranger’s text as text, cut, with a way to see all', async () => {
    const place = await empty();
    await visit(place, NARROW);
    place.add({
      method: HOSTILE,
      path: HOSTILE,
      url: `http://${HOSTILE}`,
      response: {
        headers: { 'x-odd': HOSTILE },
        body: { [HOSTILE]: HOSTILE },
        bodyState: 'whole',
        bytes: 1,
      },
    });
    place.source.found.set(2, [
      {
        ...{ requirement: HOSTILE, also: [HOSTILE], level: 'must', by: 'agent' },
        ...{ message: HOSTILE, seq: 2, times: 2 },
      },
    ]);
    place.add();
    const attempt = {
      user_code: HOSTILE,
      page: 'javascript:alert(1)',
      expires_at: at(NOW),
      wrong_codes: 0,
    };
    const names = { email: HOSTILE, agent_name: HOSTILE, type: HOSTILE };
    const [party] = stagedSnapshot({ now: NOW }).parties;
    place.source.show({
      title: HOSTILE,
      parties: party === undefined ? [] : [{ ...party, name: HOSTILE, issuer: HOSTILE }],
      registrations: [
        stagedRegistration({
          id: HOSTILE,
          ...names,
          state: 'pending',
          attempt,
          history: [{ at: HOSTILE, actor: HOSTILE, action: HOSTILE }],
        }),
      ],
      mails: [{ at: HOSTILE, to: HOSTILE, subject: HOSTILE, text: HOSTILE }],
    });
    for (const tab of ['exchanges', ...TABS]) {
      await page.locator(`#tab-${tab}`).click();
      if (tab === 'registrations') await page.locator('.unfold').click();
      expect([tab, await tooWide(page)]).toEqual([tab, []]);
    }
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    await page.locator('#tab-exchanges').click();
    await rows().first().click();
    await page.locator('.details summary').last().click();
    expect(await tooWide(page)).toEqual([]);
    const body = page.locator('.json .value').nth(1);
    expect(await body.innerText()).toContain('<img src=x onerror=');
    expect(await body.innerText()).not.toContain('w'.repeat(1_000));
    await body.getByRole('button', { name: /Show all 10,\d+ letters/ }).click();
    expect(await body.innerText()).toContain('w'.repeat(10_000));
    expect(await page.locator('img:not(.mark)').count()).toBe(0);
    expect(await page.title()).not.toBe('taken');
  });

  it('keeps the last thousand exchanges, and stays where its reader is', async () => {
    const place = await empty();
    const add = (from: number, to: number) => {
      for (let count = from; count <= to; count += 1) place.add({ path: `/api/${count}` });
    };
    add(1, 600);
    await visit(place);
    await rows().filter({ hasText: 'GET /api/600' }).waitFor();
    // Who is at the end stays there,
    const last = () => rows().last().boundingBox();
    const end = await last();
    add(601, 601);
    await rows().filter({ hasText: '/api/601' }).waitFor();
    expect(await last()).toEqual(end);
    // also where its lines become higher,
    await page.setViewportSize(NARROW);
    await until(async () => {
      const { height = 0, y = 0 } = (await last()) ?? {};
      return height > (end?.height ?? 0) && y + height < NARROW.height + 1;
    });
    await page.setViewportSize(WIDE);
    // and who scrolled away from it stays at what is seen.
    const seen = rows().filter({ hasText: '/api/105' });
    await seen.scrollIntoViewIfNeeded();
    const before = await seen.boundingBox();
    add(602, 900);
    await until(async () => (await rows().count()) === 900);
    expect(await seen.boundingBox()).toEqual(before);
    add(901, 1_500);
    await rows().filter({ hasText: '/api/1500' }).waitFor({ state: 'attached' });
    expect(await rows().first().textContent()).toContain('GET /api/501');
    expect(await rows().count()).toBe(1_000);
    // also where the oldest lines go (what was seen ran off by one line for each that came).
    const kept = rows().filter({ hasText: '/api/1005' });
    await kept.scrollIntoViewIfNeeded();
    const held = await kept.boundingBox();
    add(1_501, 1_560);
    await rows().filter({ hasText: '/api/1560' }).waitFor({ state: 'attached' });
    expect(await kept.boundingBox()).toEqual(held);

    await page.getByLabel('Find in exchanges').fill('/api/1007');
    await until(async () => (await rows().count()) === 1);
  });

  it('takes the stream up where it broke off, and says when it needs a new link', async () => {
    const place = await empty();
    place.add({ path: '/api/before' });
    await visit(place);
    place.goDown();
    await page.getByText('Reconnecting…').waitFor();
    place.add({ path: '/api/meanwhile' });
    place.comeBack();
    await rows().filter({ hasText: '/api/meanwhile' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await rows().count()).toBe(2);
    expect(place.streams).toBe(2);

    await page.context().clearCookies();
    place.goDown();
    place.comeBack();
    await page.getByRole('alert').getByText('agent-auth mock open').waitFor();
    expect(await rows().count()).toBe(2);
  });

  it('does what its buttons say, and says what came of it; a reset asks once', async () => {
    const place = await empty();
    // Not before all that is kept was read is it said that nothing was sent.
    let show = () => {};
    place.source.isReady = new Promise((resolve) => {
      show = resolve;
    });
    await visit(place);
    await page.getByText('Reading what was sent…').waitFor();
    show();
    await page.getByText('Nothing has been sent yet.').waitFor();
    place.add();
    await rows().waitFor();
    await page.locator('#tab-controls').click();
    await page.getByRole('button', { name: '+11m' }).click();
    await page.getByRole('status').getByText('clock: done.').waitFor();
    place.source.answer = () => ({ ok: false, message: 'That cannot be.' });
    await page.getByText('Faults').first().click();
    await page.getByLabel('Find a fault of the service').fill('metadata unsigned');
    await page.getByRole('checkbox').click();
    await page.getByText('That cannot be.').waitFor();
    await page.getByRole('button', { name: 'Reset everything…' }).click();
    expect(place.source.acted.map(({ name }) => name)).toEqual(['clock', 'faults']);
    place.source.answer = () => {
      place.log.empty('service');
      return { ok: true, message: 'As at the start.' };
    };
    await page.keyboard.press('Enter');
    await page.getByText('Nothing has been sent yet.').waitFor();
    expect(place.source.acted).toEqual([
      { name: 'clock', given: { advance: '11m' } },
      { name: 'faults', given: { role: 'service', faults: ['slow-token', 'metadata-unsigned'] } },
      { name: 'reset', given: {} },
    ]);
    await until(async () => (await focused()) === 'Reset everything…');
  });
});
