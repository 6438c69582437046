import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { holds } from '../../steps/traffic.ts';

/** Whoever is not the owner. */
const OTHERS = 0o077;

export const secrets = agentScenario({
  id: 'agent-secrets',
  title: 'What the agent is given in confidence',
  checks: {
    arguments: 'The agent keeps its secrets out of the arguments of every process.',
    output: 'The agent prints no token, assertion or claim token.',
    addresses: 'The agent sends its secrets in bodies and headers, never in an address.',
    files: 'The agent keeps its secrets in files that nobody else can read.',
    links: 'The agent writes no secret through a symbolic link.',
  },
  async run(judge, world) {
    const provider = await world.provider();
    const service = await world.service({ trust: [provider.issuer] });
    service.completeAtPoll(2);
    const claimed = await world.mustRun('claim', { service, browser: true });
    const minted = await world.service({ name: 'second-service', trust: [provider.issuer] });
    const byIdJag = await world.run('call', {
      service: minted,
      type: 'identity_assertion',
      provider: provider.issuer,
      agrees: true,
    });
    const known = world.secrets();
    if (known.length === 0) throw new CannotTest('The agent was given no secret.');
    const found = (text: string) =>
      known.filter(({ value }) => holds(text, value)).map(({ name }) => name);

    for (const run of [claimed, byIdJag]) {
      if (run.argv === undefined) {
        judge.skip('arguments', 'The arguments of processes cannot be seen on this system.');
      } else {
        const shown = found(run.argv.flat().join('\n'));
        judge.expect('arguments', shown.length === 0, shown.join(', '));
      }
      const printed = found(run.output);
      judge.expect('output', printed.length === 0, printed.join(', '));
      judge.expect(
        'arguments',
        found(run.opened.join('\n')).length === 0,
        found(run.opened.join('\n')).join(', '),
      );
    }
    const addressed = world.traffic.find(
      ({ url, headers }) => found(url.href + (headers.get('referer') ?? '')).length > 0,
    );
    judge.expect(
      'addresses',
      addressed === undefined,
      addressed === undefined ? '' : found(addressed.url.href).join(', '),
      { exchange: addressed?.number },
    );

    const files = (await world.harness.files()).filter(({ text }) => found(text).length > 0);
    for (const { path, mode, sheltered } of files) {
      judge.expect(
        'files',
        (mode & OTHERS) === 0,
        // Nobody comes to it as it lies; one move, and it is open.
        `mode ${mode.toString(8)}`,
        { expected: `${path} is its owner's alone: mode 600`, warn: sheltered === true },
      );
    }
    const [kept] = files;
    if (kept === undefined) {
      judge.skip(['files', 'links'], 'The agent keeps no secret in a file.');
      return;
    }
    const readCopy = await world.harness.relink(kept.path);
    const before = new Set(world.secrets().map(({ value }) => value));
    const third = await world.service({ name: 'third-service' });
    await world.run('call', { service: third });
    const fresh = world.secrets().filter(({ value }) => !before.has(value));
    const copy = await readCopy();
    const through = fresh.filter(({ value }) => copy.includes(value));
    judge.expect('links', through.length === 0, through.map(({ name }) => name).join(', '));
  },
});
