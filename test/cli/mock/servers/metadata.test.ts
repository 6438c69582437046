import { describe, expect, it } from 'vitest';
import { readMetadata } from '../../../../src/cli/mock/servers/metadata.ts';

describe('--metadata', () => {
  it('goes to the authorization-server metadata unless it names a document', () => {
    const options = ['a=1', 'server.b=two', 'resource.c=[3]', 'agent_auth.d.e=x=y', 'provider.f='];
    expect(readMetadata(options, 'up')).toEqual({
      server: { a: 1, b: 'two' },
      resource: { c: [3] },
      agent_auth: { 'd.e': 'x=y' },
      provider: { f: '' },
    });
    expect(readMetadata(['a=1'], 'provider')).toEqual({ provider: { a: 1 } });
  });

  it('takes JSON for JSON, anything else for text, and the last of two', () => {
    const options = ['a=true', 'b="1.10"', 'c=1.10.2', 'd={"e":null}', 'd=later'];
    expect(readMetadata(options, 'service')).toEqual({
      server: { a: true, b: '1.10', c: '1.10.2', d: 'later' },
    });
  });

  it.each([
    ['__proto__=x', '--metadata __proto__=x: no member can have this name.'],
    ['provider.x=1', '--metadata provider.x=1: there is no such document.'],
    ['constructor.x=1', '--metadata constructor.x=1: there is no such document.'],
    ['server.=1', '--metadata server.=1: no member can have this name.'],
    ['alone', '--metadata alone has no value.'],
    ['=x', '--metadata =x has no value.'],
  ])('refuses %s', (option, message) => {
    expect(() => readMetadata([option], 'service')).toThrow(message);
  });
});
