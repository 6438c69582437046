import { afterEach, beforeEach, expect, it } from 'vitest';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

it.runIf(isBuilt && process.platform === 'linux').each(['', 'relative'])(
  'an empty or relative HOME put the credential file into the current folder: %j',
  async (HOME) => {
    const program = home.start('status --json', { AGENT_AUTH_HOME: '', XDG_CONFIG_HOME: '', HOME });
    await program.ended;
    expect(program.stdout + program.stderr).not.toMatch(/"(?:relative\/)?\.config\//);
    expect(program.stdout).toMatch(/"\/\S*\.config\/agent-auth\/credentials\.json"/);
  },
);
