import { expect, it } from 'vitest';
import { describeAtDesk } from './with-browser.ts';

describeAtDesk('a claim through the proxy in a real browser', (desk) => {
  it('is made on the pages of a service that is on https', async () => {
    const { browser, terminal } = desk();
    const mock = terminal.start('mock', 'service', '--tls', '--port', '0');
    const { ca, service } = await mock.next();
    const proxy = terminal.start(
      'proxy',
      '--to',
      String(service),
      '--ca',
      String(ca),
      '--port',
      '0',
    );
    const { service: url } = await proxy.next();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

    const claim = terminal.start('connect', String(url), '--claim', '--email', 'alice@example.com');
    let line = await claim.next();
    while (line['claim'] === undefined || line['claim'] === null) line = await claim.next();
    const ceremony = line['claim'] as { user_code: string; verification_uri: string };
    expect(ceremony.verification_uri.startsWith(`${String(url)}/`)).toBe(true);

    const page = await browser.newPage();
    await page.goto(ceremony.verification_uri);
    await page.getByLabel('Email address').fill('alice@example.com');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code that your agent shows you').fill(ceremony.user_code);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'The agent has access' }).waitFor();
    await page.getByRole('link', { name: 'See who has access' }).click();
    await page.getByText('End access…').click();
    expect(new URL(page.url()).origin).toBe(url);
    expect(await claim.exitCode).toBe(0);
  });

  it('has no tabs of mocks in its live view', async () => {
    const { browser, terminal } = desk();
    const proxy = terminal.start('proxy', '--to', 'http://127.0.0.1:1', '--port', '0');
    const { live } = await proxy.next();
    const page = await browser.newPage();
    await page.goto(String(live));
    await page.getByText('Any agent that you point at the proxy').waitFor();
    await page.getByText('The time:').waitFor();
    expect(await page.locator('.tab').allTextContents()).toEqual(['Registrations']);
    await page.close();
  });
});
