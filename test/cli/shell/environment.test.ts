import { describe, expect, it } from 'vitest';
import { type EnvironmentSource, readEnvironment } from '../../../src/cli/shell/environment.ts';

const read = (source: EnvironmentSource, machine: { container?: boolean; mac?: boolean } = {}) =>
  readEnvironment(source, {
    platform: machine.mac ? 'darwin' : 'linux',
    inContainer: () => machine.container === true,
  });

describe('colour', () => {
  it.each([
    ['is left to the terminal', {}, undefined],
    ['is off with NO_COLOR', { NO_COLOR: '1' }, false],
    ['stays undecided with an empty NO_COLOR', { NO_COLOR: '' }, undefined],
    ['is on with FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['is off with FORCE_COLOR=0', { FORCE_COLOR: '0' }, false],
    ['follows FORCE_COLOR when both are set', { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('%s', (_case, source, color) => {
    expect(read(source).color).toBe(color);
  });
});

describe('a browser that nobody would see', () => {
  it.each([
    ['in CI', { CI: 'true', DISPLAY: ':0' }, {}, 'ci'],
    ['over SSH', { SSH_CONNECTION: '1 2 3 4', DISPLAY: ':0' }, {}, 'ssh'],
    ['in a container', { DISPLAY: ':0' }, { container: true }, 'container'],
    ['in a container that says so itself', { container: 'podman', DISPLAY: ':0' }, {}, 'container'],
    ['on Linux without a display', {}, {}, 'no_display'],
    ['nowhere on a desktop', { WAYLAND_DISPLAY: 'wayland-0' }, {}, undefined],
    ['nowhere on a Mac, which needs no DISPLAY', {}, { mac: true }, undefined],
  ])('%s', (_case, source, machine, reason) => {
    expect(read(source, machine).headless()).toBe(reason);
  });
});

describe('the name of the program', () => {
  it('is npx agent-auth when npm runs it, so that the next line works in a clone', () => {
    expect(read({ npm_command: 'exec' }).programName).toBe('npx agent-auth');
    expect(read({ npm_command: 'start' }).programName).toBe('npx agent-auth');
  });

  it('is agent-auth otherwise', () => {
    expect(read({}).programName).toBe('agent-auth');
  });

  it.each([
    ['/home/a/shop/node_modules/agent-auth/bin/agent-auth.js', 'npx agent-auth'],
    ['C:\\shop\\node_modules\\agent-auth\\bin\\agent-auth.js', 'npx agent-auth'],
    ['/usr/local/lib/node_modules/agent-auth/bin/agent-auth.js', 'agent-auth'],
    ['C:\\Users\\a\\npm\\node_modules\\agent-auth\\bin\\agent-auth.js', 'agent-auth'],
    ['/opt/agent-auth/bin/agent-auth.js', 'agent-auth'],
  ])('of %s is %s, as no PATH leads into a project', (file, name) => {
    const machine = {
      platform: 'linux',
      inContainer: () => false,
      programFile: () => file,
    } as const;
    expect(readEnvironment({}, machine).programName).toBe(name);
  });
});
