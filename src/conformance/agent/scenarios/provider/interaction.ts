import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { ending, ofKind, refusal } from '../../agent-world.ts';
import { goodCall, needTraffic, registrations, squeezed } from '../../steps/traffic.ts';
import { providerAndService } from './flows.ts';

type Body = Record<string, unknown>;

/** Where services put the code of an error, and with which status (wire.md §3). */
const SPELLINGS = [
  ['any-status', 400, (body: Body) => body],
  [
    'nested-code',
    401,
    ({ error, ...body }: Body) => ({ ...body, error: { code: error, message: 'x' } }),
  ],
  ['nested-code', 401, ({ error, ...body }: Body) => ({ ...body, err: error })],
] as const;

export const interaction = agentScenario({
  id: 'agent-interaction',
  title: 'An account exists already, so its user has to confirm',
  checks: {
    claims: 'The agent takes interaction_required to its user as a claim, with code and address.',
    finishes: 'The agent polls and calls once the user has confirmed.',
    'any-status': 'The agent acts on the code of an error, whatever its status.',
    'nested-code': 'The agent reads an error code from `error.code` and from `err`, too.',
  },
  async run(judge, world) {
    const { service, facts } = await providerAndService(world, { known: true });
    service.completeAtPoll(2);
    const run = await world.run('claim', facts);
    needTraffic(run);
    const [registered] = registrations(run.traffic);
    const claim = registered?.answered?.['claim'] as Record<string, string> | undefined;
    if (claim === undefined) throw new CannotTest(`The agent did not register (${ending(run)}).`);
    const code = claim['user_code'] ?? '';
    const uri = claim['verification_uri'] ?? '';
    judge.expect(
      'claims',
      squeezed(run.output).includes(squeezed(code)) && run.output.includes(uri),
      `They are not there (${ending(run)}).`,
      { exchange: registered?.number },
    );
    judge.expect(
      'finishes',
      ofKind(run.traffic, 'poll').length > 0 && goodCall(run.traffic) !== undefined,
      ending(run),
    );
    for (const [check, status, change] of SPELLINGS) {
      const again = await providerAndService(world, { known: true });
      again.service.completeAtPoll(1);
      again.service.on('identity', async (_ask, next) => {
        const reply = await next();
        if (!(reply instanceof Response) || reply.status !== 401) return reply;
        return refusal(status, change((await reply.json()) as Body));
      });
      const other = await world.run('claim', again.facts);
      judge.expect(check, ofKind(other.traffic, 'poll').length > 0, `no poll (${ending(other)})`, {
        exchange: registrations(other.traffic).at(0)?.number,
      });
    }
  },
});

export const identityErrors = agentScenario({
  id: 'agent-identity-errors',
  title: 'The identity endpoint refuses in different words',
  checks: {
    texts: 'The agent shows the text of an error, from whichever member it comes.',
    'same-step': 'The agent takes issuer_not_enabled for invalid_issuer.',
  },
  async run(judge, world) {
    for (const name of ['error_description', 'message', 'description']) {
      const service = await world.service();
      const { invented } = world;
      const text = `${invented.name()} is closed until the ${name.length}th.`;
      const error = `${invented.word()}_${invented.word()}`;
      service.on('identity', () => refusal(400, { error, [name]: text }));
      const run = await world.run('call', { service, limit: 20_000 });
      needTraffic(run);
      judge.expect('texts', run.output.includes(text), ending(run), {
        expected: `the text of \`${name}\` in the output`,
        exchange: registrations(run.traffic).at(0)?.number,
        warn: true,
      });
    }
    const steps: (number | null)[] = [];
    for (const error of ['invalid_issuer', 'issuer_not_enabled']) {
      const { service, facts } = await providerAndService(world);
      service.on('identity', () => refusal(400, { error }));
      const run = await world.run('call', { ...facts, limit: 30_000 });
      if (registrations(run.traffic).length === 0) {
        throw new CannotTest(`The agent did not register (${ending(run)}).`);
      }
      steps.push(run.exitCode);
    }
    judge.expect('same-step', steps[0] === steps[1], steps.map(String).join(' and '), {
      warn: true,
    });
  },
});
