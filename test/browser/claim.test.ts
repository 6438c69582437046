import { expect, it } from 'vitest';
import { describeAtDesk } from './with-browser.ts';

describeAtDesk('a claim in a real browser', (desk) => {
  it('ends the waiting command with the post-claim scopes', async () => {
    const { browser, terminal } = desk();
    const mocks = terminal.start('mock', 'up');
    expect(await mocks.next()).toMatchObject({ event: 'ready' });

    const registered = terminal.start('register', '--type', 'anonymous');
    expect(await registered.next()).toMatchObject({ token: { scopes: ['api.read'] } });
    expect(await registered.exitCode).toBe(0);

    const claim = terminal.start('claim', '--email', 'alice@example.com');
    const { claim: ceremony } = (await claim.next()) as {
      claim: { user_code: string; verification_uri: string };
    };

    const page = await browser.newPage();
    await page.goto(ceremony.verification_uri);
    await page.getByLabel('Email address').fill('alice@example.com');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code that your agent shows you').fill(ceremony.user_code);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'The agent has access' }).waitFor();

    expect(await claim.next()).toMatchObject({
      status: 'claimed',
      token: { scopes: ['api.read', 'api.write'] },
    });
    expect(await claim.exitCode).toBe(0);

    await page.getByRole('link', { name: 'See who has access' }).click();
    await page.getByText('End access…').click();
    await page.getByRole('button', { name: 'End access' }).click();
    await page.getByText('Access ended.').waitFor();
    await page.getByText('No agent has access to this account.').waitFor();
    const called = terminal.start('call', '/api/resource');
    expect(await called.exitCode).toBe(4);
  });
});
