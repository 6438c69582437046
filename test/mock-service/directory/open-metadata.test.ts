import { expect, it } from 'vitest';
import { Directory } from './support.ts';

it('an open method has no metadata of a protected resource, though the catalog lists it', async () => {
  const directory = await Directory.start();
  for (const path of ['/v2/api/services.json', '/v2/api/methods.xml']) {
    expect((await directory.send(path)).status).toBe(200);
    const metadata = await directory.send(`/.well-known/oauth-protected-resource${path}`);
    expect(metadata.status).toBe(404);
  }
});
