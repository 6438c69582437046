import { describe, expect, it } from 'vitest';
import { credentialHeaderName } from '../../src/discovery/credentials.ts';
import { recognise } from '../../src/discovery/index.ts';

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

  it('is shown of a document only where the agent would use it', () => {
    const headerOf = (credential_header: string) => {
      const agent_auth = { register_uri: 'https://a.example/register', credential_header };
      return recognise({ server: { issuer: 'https://a.example', agent_auth } }).credentialHeader;
    };
    expect(headerOf('X-API-Key')).toBe('X-API-Key');
    expect(headerOf('X-Forwarded-For')).toBeUndefined();
  });
});

describe('the members that a document wants', () => {
  it('are never those that the agent writes itself', () => {
    const agent_auth = {
      register_uri: 'https://a.example/register',
      required_members: ['type', 'email', 'user_code', 'client_id'],
    };
    const { wantedMembers } = recognise({ server: { issuer: 'https://a.example', agent_auth } });
    expect(wantedMembers).toEqual(['client_id']);
  });
});
