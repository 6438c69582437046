import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

interface Check {
  readonly id: string;
  readonly status: string;
  readonly summary: string;
}

let home: Home;
let server: Server;
let url: string;
let asked = 0;
beforeEach(async () => {
  home = new Home();
  asked = 0;
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  writeFileSync(join(home.folder, 'ca.pem'), pems.cert);
  server = createServer({ cert: pems.cert, key: pems.private }, (_request, response) => {
    asked += 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await home.remove();
  server.closeAllConnections();
  server.close();
});

describe.runIf(isBuilt)('the built program under NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  it('trusts no server by it', async () => {
    const program = home.start(`discover ${url} --json`, env);
    expect(await program.ended).toBe(7);
    expect(JSON.parse(program.stdout)).toMatchObject({ error: { code: 'unreachable' } });
    expect(program.stdout).toContain('its certificate is not trusted');
    expect(asked).toBe(0);
  });

  it('trusts one by --ca', async () => {
    const program = home.start(`discover ${url} --json --ca ${home.folder}/ca.pem`, env);
    expect(await program.ended).toBe(1);
    expect(asked).toBeGreaterThan(0);
  });

  it('names it as something to mend in doctor', async () => {
    const program = home.start('doctor --json', env);
    await program.ended;
    const { checks } = JSON.parse(program.stdout) as { checks: Check[] };
    expect(checks.find(({ id }) => id === 'tls_verification')).toMatchObject({
      status: 'warn',
      summary: expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED=0 is set'),
    });
    const without = home.start('doctor --json');
    await without.ended;
    expect(without.stdout).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
  });
});
