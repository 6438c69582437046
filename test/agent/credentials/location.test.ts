import { describe, expect, it } from 'vitest';
import { openCredentialFile } from '../../../src/agent/credentials/credential-file.ts';
import { environmentToken } from '../../../src/agent/credentials/environment-token.ts';
import { credentialFolder } from '../../../src/agent/credentials/location.ts';
import { AgentError } from '../../../src/agent/index.ts';

const home = { homeDirectory: '/home/alice' };

describe('the folder of the credential file', () => {
  it.each<[what: string, Parameters<typeof credentialFolder>[0], folder: string]>([
    [
      'AGENT_AUTH_HOME before all',
      { environment: { AGENT_AUTH_HOME: '/keys', XDG_CONFIG_HOME: '/xdg' }, platform: 'darwin' },
      '/keys',
    ],
    [
      'XDG_CONFIG_HOME then',
      { environment: { XDG_CONFIG_HOME: '/xdg' }, platform: 'linux' },
      '/xdg/agent-auth',
    ],
    ['.config on Linux', { environment: {}, platform: 'linux' }, '/home/alice/.config/agent-auth'],
    [
      'its own place on macOS',
      { environment: {}, platform: 'darwin' },
      '/home/alice/Library/Application Support/agent-auth',
    ],
    [
      'APPDATA on Windows',
      { environment: { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' }, platform: 'win32' },
      'C:\\Users\\a\\AppData\\Roaming\\agent-auth',
    ],
    [
      'no empty name',
      { environment: { AGENT_AUTH_HOME: '', XDG_CONFIG_HOME: '' }, platform: 'linux' },
      '/home/alice/.config/agent-auth',
    ],
    [
      'no relative XDG path',
      { environment: { XDG_CONFIG_HOME: 'config' }, platform: 'linux' },
      '/home/alice/.config/agent-auth',
    ],
  ])('is %s', (_what, options, folder) => {
    expect(credentialFolder({ ...home, ...options })).toBe(folder);
  });

  it('holds credentials.json', () => {
    const store = openCredentialFile({ environment: { AGENT_AUTH_HOME: '/keys' } });
    expect(store.location).toBe('/keys/credentials.json');
  });
});

describe('AGENT_AUTH_TOKEN', () => {
  it('is a secret, and nothing when empty', () => {
    expect(environmentToken({ AGENT_AUTH_TOKEN: ' at_1\n' })?.reveal()).toBe('at_1');
    expect(environmentToken({ AGENT_AUTH_TOKEN: '' })).toBeUndefined();
    expect(environmentToken({})).toBeUndefined();
    expect(() => environmentToken({ AGENT_AUTH_TOKEN: 'a\r\nb: c' })).toThrow(AgentError);
  });
});
