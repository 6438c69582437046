import { describe, expect, it } from 'vitest';
import { credentialHeaderName } from '../../../../src/agent/dialects/parts/header-name.ts';

describe('the header of a credential', () => {
  it.each(['X-API-Key', 'x-agent-proof', 'Api_Key', 'Ocp-Apim-Subscription-Key'])(
    'may be %s',
    (name) => {
      expect(credentialHeaderName(name)).toBe(name);
    },
  );

  it.each<[string, unknown]>([
    ['the one where every credential goes by itself', 'Authorization'],
    ['Host', 'Host'],
    ['Cookie', 'cookie'],
    ['hop by hop', 'Connection'],
    ['hop by hop, of the framing', 'Transfer-Encoding'],
    ['of a proxy', 'Proxy-Authorization'],
    ['of the body', 'Content-Length'],
    ['of a browser', 'Sec-Fetch-Site'],
    ['another method', 'X-HTTP-Method-Override'],
    ['two lines', 'X-Key\r\nHost'],
    ['a name and a value', 'X-Key: abc'],
    ['with a space', 'X Key'],
    ['not of ASCII', 'X-Schlüssel'],
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['no text', { name: 'X-Key' }],
  ])('is never %s', (_what, name) => {
    expect(credentialHeaderName(name)).toBeUndefined();
  });
});
