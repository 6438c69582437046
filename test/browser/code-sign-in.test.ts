import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { describeAtDesk } from './with-browser.ts';

describeAtDesk('a sign-in by code in a real browser', (desk) => {
  it('ends at the client, on another origin', async () => {
    const { browser, terminal } = desk();
    const { provider } = (await terminal.start('mock', 'up', '--port', '0').next()) as {
      provider: string;
    };
    const client = createServer((_request, response) => response.end('Back at the client.'));
    await new Promise<void>((listening) => client.listen(0, '127.0.0.1', listening));
    const { port } = client.address() as AddressInfo;
    try {
      const request = new URLSearchParams({
        client_id: 'app',
        redirect_uri: `http://127.0.0.1:${port}/callback`,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
      });
      const page = await browser.newPage();
      await page.goto(`${provider}/oauth2/authorize?${request}`);
      await page.getByLabel('Email address').fill('alice@example.com');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Back at the client.').waitFor();
      const answer = new URL(page.url()).searchParams;
      expect([answer.has('code'), answer.get('iss')]).toEqual([true, provider]);
    } finally {
      client.close();
    }
  });
});
