import { afterEach, expect, it } from 'vitest';
import { createLocalAuthority } from '../../src/cli/mock/servers/mock-tls.ts';
import { serve } from '../../src/mock/http/serve.ts';
import { silentLog } from '../../src/runtime/index.ts';
import { createSystemForward } from '../../src/runtime/system-forward.ts';
import { closeAll, relayTo } from './relay.ts';

afterEach(closeAll);

it('trusts what the authorities of --ca have signed, and nothing else', async () => {
  const { ca, files } = await createLocalAuthority(['127.0.0.1']);
  const build = async () => async () => new Response('ok');
  const server = await serve({ host: '127.0.0.1', port: 0, tls: files, log: silentLog, build });
  try {
    const stranger = await fetch((await relayTo(server.origin)).url);
    expect(stranger.status).toBe(502);
    expect(await stranger.json()).toMatchObject({ error: 'tls_certificate_error' });
    const forward = createSystemForward({ ca: [ca], proxyFor: () => undefined });
    const known = await relayTo(server.origin, { forward });
    expect(await (await fetch(known.url)).text()).toBe('ok');
  } finally {
    await server.close();
  }
});
