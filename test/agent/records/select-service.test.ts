import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../../src/agent/index.ts';
import { findServiceRecord } from '../../../src/agent/records/select-service.ts';

const record = (issuer: string, resource = issuer) => ({
  issuer,
  resource,
  name: null,
  clockOffset: 0,
  current: null,
  registrations: [],
});

const credentials: Credentials = {
  lastService: 'https://auth.example',
  services: [
    record('https://auth.example', 'https://api.example'),
    record('https://auth.example/inner', 'https://api.example/v2'),
    record('http://127.0.0.1:4800'),
  ],
  providers: [],
  signIns: [],
};

describe('which of several APIs of one server is meant', () => {
  const both = {
    ...credentials,
    lastService: 'https://one.example',
    services: [
      record('https://auth.example', 'https://one.example'),
      record('https://auth.example', 'https://two.example'),
    ],
  };

  it.each([
    [undefined, 'https://one.example'],
    ['https://two.example/', 'https://two.example'],
    ['https://auth.example', 'https://one.example'],
  ])('%s is %s', (service, resource) => {
    expect(findServiceRecord(both, service)?.resource).toBe(resource);
  });

  it('is the newest where none of them was used last', () => {
    const record = findServiceRecord({ ...both, lastService: null }, 'https://auth.example');
    expect(record?.resource).toBe('https://two.example');
  });
});

describe('which service is meant', () => {
  it.each([
    [undefined, 'https://auth.example'],
    ['https://auth.example', 'https://auth.example'],
    ['https://auth.example/', 'https://auth.example'],
    ['https://api.example', 'https://auth.example'],
    ['https://api.example/v1/things?q=1', 'https://auth.example'],
    ['https://api.example/v2/things', 'https://auth.example/inner'],
    ['https://api.example/v22', 'https://auth.example'],
    ['http://127.0.0.1:4800/', 'http://127.0.0.1:4800'],
    ['http://localhost:4800', undefined],
    ['http://127.0.0.1:4801', undefined],
    ['https://api.example.evil.example', undefined],
    ['not a URL', undefined],
  ])('%s is %s', (service, issuer) => {
    expect(findServiceRecord(credentials, service)?.issuer).toBe(issuer);
  });
});
