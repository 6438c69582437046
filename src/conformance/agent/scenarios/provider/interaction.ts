import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { ending, ofKind, refusal } from '../../agent-world.ts';
import { called, some } from '../../steps/rows.ts';
import { listed, needTraffic, registrations, squeezed } from '../../steps/traffic.ts';
import { providerAndService } from './flows.ts';

type Body = Record<string, unknown>;

/** The code of an error in other envelopes and with another status (wire contract §3). */
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
  title: 'The account exists already, so its user has to confirm',
  checks: {
    claims: 'At interaction_required the agent shows its user the code and the URL of the claim.',
    finishes: 'The agent polls and calls once the user has confirmed.',
    'any-status': 'The agent goes by the code of an error, whatever the status.',
    'nested-code': 'The agent also reads the code of an error from `error.code` and `err`.',
  },
  restsOn: {
    claims: ['agent-claim.shows-code', 'agent-claim.shows-address'],
    finishes: 'agent-call.calls',
    'any-status': 'agent-interaction.finishes',
    'nested-code': 'agent-interaction.finishes',
  },
  blockedBy: ['agent-id-jag.registers'],
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
    judge.table(run, {
      claims: {
        ok: squeezed(run.output).includes(squeezed(code)) && run.output.includes(uri),
        seen: `not in the output (${ending(run)})`,
        exchange: registered?.number,
      },
      finishes: [some(ofKind(run.traffic, 'poll'), run.traffic), called(run)],
    });
    for (const [check, status, change] of SPELLINGS) {
      await world.harness.forget();
      const again = await providerAndService(world, { known: true });
      again.service.completeAtPoll(1);
      again.service.on('identity', async (_ask, next) => {
        const reply = await next();
        if (!(reply instanceof Response) || reply.status !== 401) return reply;
        return refusal(status, change((await reply.json()) as Body));
      });
      const other = await world.run('claim', again.facts);
      judge.table(other, {
        [check]: {
          ok: ofKind(other.traffic, 'poll').length > 0,
          seen: `no poll (${ending(other)})`,
          exchange: registrations(other.traffic)[0]?.number,
        },
      });
    }
  },
});

export const identityErrors = agentScenario({
  id: 'agent-identity-errors',
  title: 'The identity endpoint words its errors differently',
  checks: {
    texts: 'The agent shows the text of an error: `error_description`, `message` or `description`.',
    'same-step': 'The agent exits with the same code for issuer_not_enabled as for invalid_issuer.',
  },
  blockedBy: ['agent-call.registers', 'agent-id-jag.registers'],
  async run(judge, world) {
    for (const name of ['error_description', 'message', 'description']) {
      await world.harness.forget();
      const service = await world.service();
      const { invented } = world;
      const text = `${invented.name()} is closed until the ${name.length}th.`;
      const error = `${invented.word()}_${invented.word()}`;
      service.on('identity', () => refusal(400, { error, [name]: text }));
      const run = await world.run('call', { service, limit: 20_000 });
      const [registered] = registrations(run.traffic);
      if (registered === undefined) {
        throw new CannotTest(
          `The agent did not register: ${listed(run.traffic)} (${ending(run)}).`,
        );
      }
      judge.expect('texts', run.output.includes(text), ending(run), {
        case: `the text in ${name}`,
        exchange: registered.number,
      });
    }
    const steps: (number | null)[] = [];
    for (const error of ['invalid_issuer', 'issuer_not_enabled']) {
      await world.harness.forget();
      const { service, facts } = await providerAndService(world);
      service.on('identity', () => refusal(400, { error }));
      const run = await world.run('call', { ...facts, limit: 30_000 });
      if (registrations(run.traffic).length === 0) {
        throw new CannotTest(`The agent did not register (${ending(run)}).`);
      }
      steps.push(run.exitCode);
    }
    judge.expect('same-step', steps[0] === steps[1], steps.map(String).join(' and '));
  },
});
