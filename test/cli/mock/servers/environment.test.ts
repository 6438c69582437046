import { beforeEach, describe, expect, it } from 'vitest';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { newMachine, runCli } from '../../support/run-cli.ts';
import { serving } from '../../support/serving.ts';

const network = createSystemFetch();
const TOKEN = 'ctl_of-a-job-in-CI.0123456789';

let runtime: string;
beforeEach(() => {
  runtime = testFolder();
});

const env = (own: Readonly<Record<string, string>>) => ({ XDG_RUNTIME_DIR: runtime, ...own });

/** Runs `mock up` with these variables; `during` with the URLs of its ready line. */
async function up(
  variables: Readonly<Record<string, string>>,
  during: (ready: Record<string, string>) => Promise<void>,
  ...words: readonly string[]
): Promise<void> {
  const line = ['mock', 'up', '--port', '0', '--json', ...words];
  const { code, stdout } = await serving(
    { ...newMachine(), network },
    line,
    env(variables),
    async (ready) => during(JSON.parse(ready)),
  );
  expect([code, code === 0 ? '' : stdout]).toEqual([0, '']);
}

const refused = async (variables: Readonly<Record<string, string>>) => {
  const { code, stderr } = await runCli(newMachine(), ['mock', 'up'], { env: env(variables) });
  return { code, lines: stderr.split('\n') };
};

const names = async (url = '') => {
  const answer = await network(`${url}/.well-known/oauth-protected-resource`);
  return ((await answer.json()) as Record<string, unknown>)['resource_name'];
};

describe('the port of the provider of `mock up`', () => {
  it('was always the one after the service’s: --provider-port names another', async () => {
    const line = 'mock up --port 65535 --provider-port 65535'.split(' ');
    const { code, stderr } = await runCli(newMachine(), line, { env: env({}) });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--provider-port cannot be 65535, which is --port.'),
    ]);
    await up(
      {},
      async ({ service, provider }) => expect(service).not.toBe(provider),
      ...['--provider-port', '0'],
    );
  });
});

describe('AGENT_AUTH_CONTROL_TOKEN', () => {
  it('is the token that both mocks start with, which their job knows without reading a file', async () => {
    await up({ AGENT_AUTH_CONTROL_TOKEN: TOKEN }, async ({ service, provider }) => {
      for (const url of [service, provider]) {
        const call = (token: string) =>
          network(`${url}/__mock`, { headers: { authorization: `Bearer ${token}` } });
        expect((await call(TOKEN)).status).toBe(200);
        expect((await call(TOKEN.slice(0, -1))).status).toBe(401);
      }
    });
  });

  it.each(['guessed', `${TOKEN} and more`, `${TOKEN}\n`])(
    'is refused and not repeated where no token can be %j',
    async (token) => {
      const { code, lines } = await refused({ AGENT_AUTH_CONTROL_TOKEN: token });
      expect([code, lines[0]]).toEqual([
        2,
        '✗ AGENT_AUTH_CONTROL_TOKEN is not fit for a token of the controls.',
      ]);
      expect(lines.join('\n')).not.toContain(token.trim());
    },
  );
});

describe('AGENT_AUTH_MOCK_CONFIG', () => {
  const config = { AGENT_AUTH_MOCK_CONFIG: 'service_name: Of the variable' };

  it('is what would stand in a file of --config', async () => {
    await up(config, async ({ service }) => expect(await names(service)).toBe('Of the variable'));
  });

  it('gives way to the command line', async () => {
    const option = ['--service-name', 'Of the line'];
    await up(
      config,
      async ({ service }) => expect(await names(service)).toBe('Of the line'),
      ...option,
    );
  });

  it('names itself, the line and the column where something is wrong', async () => {
    const { code, lines } = await refused({ AGENT_AUTH_MOCK_CONFIG: 'port: 1\nliv: false' });
    expect([code, lines[1]?.trim()]).toEqual([
      2,
      'AGENT_AUTH_MOCK_CONFIG:2:1  unknown key "liv"; did you mean live?',
    ]);
  });
});

describe('--until-stdin-ends', () => {
  const line = ['mock', 'service', '--port', '0', '--json', '--until-stdin-ends'];

  it('stops as by Ctrl-C once stdin has ended, as it does when its holder was killed', async () => {
    const { code, stdout } = await runCli({ ...newMachine(), network }, line, {
      env: env({}),
      stdin: 'what comes before is not read',
    });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { event: 'ready' }]);
    const { service } = JSON.parse(stdout) as { service: string };
    await expect(network(`${service}/`)).rejects.toThrow();
  });

  it('is not the default: a mock in the background has no stdin', async () => {
    let status = 0;
    const machine = { ...newMachine(), network };
    await serving(machine, line.slice(0, -1), env({}), async (ready) => {
      const { service } = JSON.parse(ready) as { service: string };
      status = (await network(`${service}/`)).status;
    });
    expect(status).toBe(200);
  });
});
