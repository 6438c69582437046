import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_SCHEMAS } from '../../../src/cli/mock/servers/config/config-schema.ts';
import { problemOf } from '../../support/command-tree.ts';
import { freePair } from '../../support/free-port.ts';
import { LIMITED } from '../../support/limited.ts';
import { testFolder } from '../../support/test-folder.ts';
import { until } from '../../support/until.ts';
import { isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Job {
  readonly services: {
    readonly mock: {
      readonly image: string;
      readonly ports: readonly string[];
      readonly options: string;
      readonly env: { readonly AGENT_AUTH_CONTROL_TOKEN: string; AGENT_AUTH_MOCK_CONFIG: string };
    };
  };
  readonly env: { readonly AGENT_AUTH_CONTROL_TOKEN: string };
  readonly steps: readonly { readonly run?: string }[];
}

interface GitlabJob {
  readonly services?: readonly { readonly command: readonly string[]; readonly alias: string }[];
  readonly script: readonly string[];
  readonly before_script?: readonly string[];
}

/** The file of a page that a reader copies. */
const compose = parse(
  /^# compose\.yaml\n[^`]*/m.exec(read('docs/test-cross-app-access.md'))?.[0] ?? '',
) as {
  readonly services: Readonly<Record<'mocks' | 'app', ComposeService>>;
};

interface ComposeService {
  readonly image?: string;
  readonly command: readonly string[];
  readonly ports: readonly string[];
  readonly network_mode?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment: Readonly<Record<string, string>>;
}

const github = read('docs/examples/service-container.yml');
const { agent } = (parse(github) as { jobs: { agent: Job } }).jobs;
const { mock } = agent.services;
const gitlab = read('docs/examples/gitlab-ci.yml');
const gitlabJobs = parse(gitlab) as Readonly<Record<string, GitlabJob>>;

/** Of the image itself: the last stage of the Dockerfile. */
const instructions = read('Dockerfile')
  .split(/^FROM .*$/m)
  .at(-1)
  ?.split('\n') as readonly string[];
const linesOf = (name: string) => instructions.filter((line) => line.startsWith(`${name} `));
/** The words of an instruction; of a program, those of its JSON form. */
function wordsOf(name: string): readonly string[] {
  const line = linesOf(name).at(-1) ?? '';
  const json = line.indexOf('[');
  return json === -1 ? line.split(' ').slice(1) : (JSON.parse(line.slice(json)) as string[]);
}
/** What a token is while a job runs. */
const TOKEN = mock.env.AGENT_AUTH_CONTROL_TOKEN.replace(/\$\{\{ github\.run_id \}\}/, '12345678901')
  .replace(/\$\{\{ github\.run_attempt \}\}/, '1')
  .trim();

describe('the example with a service container', () => {
  it('publishes each port of the image under its own number, for it is signed', () => {
    expect(mock.ports).toEqual(wordsOf('EXPOSE').map((port) => `${port}:${port}`));
  });

  it('names an image of the reader, and leaves the health check to it', () => {
    expect(mock.image).toBe('REGISTRY/agent-auth-mock:TAG');
    expect(mock.options).toMatch(/^(--health-(interval|retries) \S+ ?)+$/);
    expect(wordsOf('HEALTHCHECK')).toContain('list');
  });

  it('gives job and container the same token, and a configuration that is one', () => {
    expect(agent.env.AGENT_AUTH_CONTROL_TOKEN).toBe(mock.env.AGENT_AUTH_CONTROL_TOKEN);
    const config = CONFIG_SCHEMAS.up.parse(parse(mock.env.AGENT_AUTH_MOCK_CONFIG));
    expect(config).toMatchObject({ allow_remote_control: true });
  });
});

describe('the compose file', () => {
  const { app, mocks } = compose.services;

  it('publishes each port of the image under its own number, for it is signed', () => {
    const ours = wordsOf('EXPOSE').map((port) => `127.0.0.1:${port}:${port}`);
    expect(mocks.ports).toEqual([...ours, expect.any(String)]);
    expect(Object.values(app.environment).join()).toMatch(/:4801,.*:4800\/mcp$/);
  });

  it('builds the image that it names, and shares the network of its healthy mocks', () => {
    expect(read('docs/test-cross-app-access.md')).toContain(`docker build -t ${mocks.image} .`);
    expect([app.network_mode, app.depends_on]).toEqual([
      'service:mocks',
      { mocks: { condition: 'service_healthy' } },
    ]);
  });
});

describe('the jobs of GitLab', () => {
  it('are made of lines, and reach both ports of the mock by its alias', () => {
    for (const { script, before_script: before = [] } of Object.values(gitlabJobs)) {
      expect([...script, ...before].filter((line) => typeof line !== 'string')).toEqual([]);
      const ours = script.filter((line) => line.startsWith('npx agent-auth '));
      expect(ours.map((line) => problemOf(line.replace('npx ', '')))).toEqual(
        ours.map(() => undefined),
      );
    }
    const [service] = gitlabJobs['agent']?.services ?? [];
    const led = gitlabJobs['agent']?.before_script?.filter((line) => line.startsWith('socat'));
    expect(led).toEqual(
      wordsOf('EXPOSE').map((port) =>
        expect.stringMatching(`TCP-LISTEN:${port},.*TCP:${service?.alias}:${port} &$`),
      ),
    );
  });
});

describe('the image', () => {
  it('is nothing but what another stage made, for a user without rights', () => {
    expect(linesOf('COPY').filter((line) => !line.startsWith('COPY --from=build '))).toEqual([]);
    expect([linesOf('RUN'), linesOf('USER')]).toEqual([[], ['USER node']]);
  });

  it('is checked and run by node itself, so that signals reach it and no other program is needed', () => {
    expect([wordsOf('HEALTHCHECK')[0], wordsOf('ENTRYPOINT')[0]]).toEqual(['node', 'node']);
  });
});

describe.runIf(isBuilt)('the image, as such a job starts it', () => {
  let folder: string;
  /** With what the image copies, and no other file of ours. */
  let image: string;
  beforeEach(() => {
    folder = testFolder();
    image = join(folder, 'app');
    const copied = linesOf('COPY').flatMap((line) => line.match(/(?<= \/src\/)\S+/g) ?? []);
    for (const path of copied) {
      if (path !== 'node_modules') cpSync(join(ROOT, path), join(image, path), { recursive: true });
      else symlinkSync(join(ROOT, path), join(image, path));
    }
  });

  /** On loopback and free ports, with the words of the image; `during` with the port of the service. */
  async function started(
    variables: Readonly<Record<string, string>>,
    command: readonly string[],
    during: (port: number, env: NodeJS.ProcessEnv) => Promise<void>,
  ): Promise<void> {
    const [, ...words] = wordsOf('ENTRYPOINT');
    const port = await freePair();
    const env = { PATH: process.env['PATH'], XDG_RUNTIME_DIR: folder, ...variables };
    const own = ['--host', '127.0.0.1', '--port', String(port)];
    const child = spawn(process.execPath, [...words, ...command, ...own], {
      cwd: image,
      env,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      const [, ...check] = wordsOf('HEALTHCHECK');
      await until(() => {
        if (child.exitCode !== null) throw new Error(`It has ended with ${child.exitCode}.`);
        return spawnSync(process.execPath, check, { ...LIMITED, cwd: image, env }).status === 0;
      });
      await during(port, env);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
  }

  it('takes its configuration and its token from the environment, and the steps of the job work', async () => {
    const variables = { ...mock.env, AGENT_AUTH_CONTROL_TOKEN: TOKEN };
    await started(variables, [], async (port, env) => {
      const lines = agent.steps.flatMap(({ run }) => (run?.startsWith('curl') ? [run] : []));
      expect(lines).toHaveLength(2);
      for (const line of lines) {
        const there = line.replaceAll(
          /127\.0\.0\.1:480(\d)/g,
          (_, n) => `127.0.0.1:${port + Number(n)}`,
        );
        const { status, stdout } = spawnSync('bash', ['-e', '-c', there], {
          ...LIMITED,
          env,
          encoding: 'utf8',
        });
        expect([status, stdout]).toEqual([0, expect.stringContaining(`127.0.0.1:${port}`)]);
      }
      const approved = await fetch(`http://127.0.0.1:${port + 1}/oauth2/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'agent-auth', scope: 'openid' }),
      });
      expect(await approved.json()).toHaveProperty('device_code');
    });
  });

  it('takes the command that GitLab passes', async () => {
    const [service] = gitlabJobs['agent']?.services ?? [];
    const variables = { AGENT_AUTH_CONTROL_TOKEN: TOKEN };
    await started(variables, service?.command ?? [], async (port) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      expect((await fetch(`http://127.0.0.1:${port}/__mock`, { headers })).status).toBe(200);
    });
  });

  it('takes the command of the compose file: that client, and no other', async () => {
    await started({}, compose.services.mocks.command, async (port) => {
      const answers = ['app:a-test-secret', 'other:a-test-secret'].map(async (pair) => {
        const { status } = await fetch(`http://127.0.0.1:${port}/oauth2/introspect`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(pair)}` },
          body: new URLSearchParams({ token: 'a-token' }),
        });
        return status;
      });
      expect(await Promise.all(answers)).toEqual([200, 401]);
    });
  });
});
