import { expect, it } from 'vitest';
import { describeAtDesk } from './with-browser.ts';

describeAtDesk('a consent in a real browser', (desk) => {
  it('is given, listed and revoked at the provider, and the service is told', async () => {
    const { browser, terminal } = desk();
    const mocks = terminal.start('mock', 'up', '--port', '0');
    const { provider, service } = (await mocks.next()) as { provider: string; service: string };

    const login = terminal.start('provider', 'login', provider);
    const { sign_in: ceremony } = (await login.next()) as {
      sign_in: { user_code: string; verification_uri: string };
    };
    const page = await browser.newPage();
    await page.goto(ceremony.verification_uri);
    await page.getByLabel('Email address').fill('alice@example.com');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill(ceremony.user_code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await login.next()).toMatchObject({ status: 'signed_in', account: 'alice@example.com' });

    // Without a terminal nobody can be taken to the page: the command says where it is.
    const asked = terminal.start('register', service, '--provider', provider);
    const question = await asked.next();
    expect(question).toMatchObject({ error: { code: 'consent_required' } });
    await page.goto(String(question['consent_uri']));
    await page.getByRole('button', { name: 'Approve' }).click();
    const registered = terminal.start('register', service, '--provider', provider);
    expect(await registered.exitCode).toBe(0);
    const working = terminal.start('call', '/api/resource');
    expect(await working.exitCode).toBe(0);

    await page.goto(`${provider}/consents`);
    await page.getByText('Revoke…').click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Revoked' }).waitFor();
    await page.getByText('You have not agreed to any service.').waitFor();
    const ended = terminal.start('call', '/api/resource');
    expect(await ended.next()).toMatchObject({ error: { code: 'consent_needed' } });
  });
});
