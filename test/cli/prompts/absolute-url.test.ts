import { describe, expect, it } from 'vitest';
import { absoluteUrl } from '../../../src/cli/prompts/service.ts';
import { CliError } from '../../../src/cli/shell/cli-error.ts';

describe('a URL that a user types', () => {
  it.each([
    ['localhost:4800', 'http://localhost:4800'],
    ['127.0.0.1:4800', 'http://127.0.0.1:4800'],
    ['[::1]:4800', 'http://[::1]:4800'],
    ['127.0.0.1:4800/api/resource', 'http://127.0.0.1:4800/api/resource'],
    ['api.example.com', 'https://api.example.com'],
    ['api.example.com:8443/reports', 'https://api.example.com:8443/reports'],
    ['https://api.example.com/', 'https://api.example.com/'],
    ['  https://api.example.com ', 'https://api.example.com'],
  ])('%s means %s', (typed, meant) => {
    expect(absoluteUrl(typed)).toBe(meant);
  });

  it.each([
    ['plain http to another machine', 'http://api.example.com'],
    ['a user name', 'https://alice@api.example.com'],
    ['a password', 'https://alice:secret@api.example.com'],
    ['a fragment', 'https://api.example.com/#top'],
    ['another scheme', 'file:///etc/passwd'],
    ['a script', 'javascript://%0aalert(1)'],
    ['nothing', ''],
    ['spaces', 'not a url'],
  ])('refuses %s without repeating it', (_case, typed) => {
    let caught: unknown;
    try {
      absoluteUrl(typed);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(CliError);
    expect(caught).toMatchObject({ outcome: 'usage', code: 'bad_address' });
    expect(String(caught)).not.toContain('secret');
  });
});
