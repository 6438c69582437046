import { agentScenario } from '../../agent-world.ts';
import { filesWith } from '../../steps/files-with.ts';
import { unsaid, unsaidInUrls } from '../../steps/rows.ts';
import { need } from '../../steps/traffic.ts';

/** Permission bits of group and others. */
const OTHERS = 0o077;

const SHELTERED = 'Its folder keeps others out, until the file is moved.';

export const secrets = agentScenario({
  id: 'agent-secrets',
  title: 'The agent keeps its secrets',
  checks: {
    arguments: 'The agent passes no secret as an argument of a process, a browser included.',
    output: 'The agent prints no token, assertion or claim token.',
    addresses: 'The agent sends its secrets in bodies and headers, never in a URL.',
    files: 'The agent keeps its secrets in files that only their owner can read (mode 600).',
    links: 'The agent writes no secret through a symbolic link.',
  },
  blockedBy: ['agent-call.calls'],
  costly: true,
  async run(judge, world) {
    const provider = await world.provider();
    const service = await world.service({ trust: [provider.issuer] });
    service.completeAtPoll(2);
    const claimed =
      (await world.runIfKnown('claim', { service, browser: true })) ??
      (await world.run('call', { service }));
    const minted = await world.service({ name: 'second-service', trust: [provider.issuer] });
    const byIdJag = await world.runIfKnown('call', {
      service: minted,
      type: 'identity_assertion',
      provider: provider.issuer,
      agrees: true,
    });
    const known = world.secrets();
    need(known[0], 'The agent received no secret', claimed);
    const noneIn = (text: string) => unsaid(known, text);
    for (const { argv, opened, output } of [claimed, byIdJag].filter((run) => run !== undefined)) {
      if (argv === undefined) {
        judge.skip('arguments', 'This system does not show the arguments of processes.');
      }
      judge.table(output, {
        arguments: [argv && noneIn(argv.flat().join('\n')), noneIn(opened.join('\n'))],
        output: noneIn(output),
      });
    }
    judge.table(world.traffic, { addresses: unsaidInUrls(known, world.traffic) });

    const files = await filesWith(world, known);
    judge.table(files, {
      files: files.map(({ path, mode, sheltered }) => ({
        ok: (mode & OTHERS) === 0,
        seen: `${path} has mode ${mode.toString(8)}`,
        reading: sheltered === true ? SHELTERED : undefined,
      })),
    });
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
