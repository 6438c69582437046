import { describe, expect, it } from 'vitest';
import type { ConnectStep } from '../../src/agent/index.ts';
import { typeThere } from '../support/type-there.ts';
import { ANSWER, Bench, ENDPOINT, failure, pending, SERVICE } from './support/bench.ts';
import { json } from './support/fake-web.ts';

const ALICE = 'alice@example.com';

function anonymous(): Bench {
  const bench = new Bench();
  bench.web.on(ENDPOINT.identity, json(ANSWER.anonymous()));
  bench.web.on(ENDPOINT.resource, json({ message: 'hello' }));
  bench.web.on(ENDPOINT.revoke, json({}));
  return bench;
}

function listen() {
  const steps: string[] = [];
  const onStep = (told: ConnectStep) => {
    steps.push('status' in told ? `${told.step} ${told.status}` : told.step);
  };
  return { steps, onStep };
}

describe('agent.connect', () => {
  it('tells each step, and resolves with what the agent may do and until when', async () => {
    const { agent } = anonymous();
    const { steps, onStep } = listen();
    const outcome = await agent.connect({ service: SERVICE, call: '/api/resource', onStep });
    expect(steps).toEqual(['discover', 'register', 'token', 'call']);
    expect(outcome).toMatchObject({
      status: 'connected',
      already: false,
      scopes: ['api.read'],
      claimAdds: ['api.write'],
      token: { remaining: 3600_000 },
      call: { url: `${SERVICE}/api/resource`, status: 200 },
      left: [],
    });
  });

  it('stops at a user whom it cannot reach, with the code to show', async () => {
    const { agent, web } = anonymous();
    web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    const outcome = await agent.connect({
      service: SERVICE,
      claim: true,
      email: ALICE,
      type: 'anonymous',
    });
    expect(outcome).toMatchObject({ status: 'claim_pending', open: { resumed: false } });
  });

  it('waits for the user through the hook, and is claimed', async () => {
    const { agent, web } = anonymous();
    web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    web.on(ENDPOINT.token, json(ANSWER.token()), pending(), json(ANSWER.claimed()));
    const shown: string[] = [];
    const outcome = await agent.connect({
      service: SERVICE,
      scopes: ['api.write'],
      user: {
        email: async () => ALICE,
        claim: (open, wait) => {
          shown.push(typeThere(open.ceremony).userCode.reveal());
          return wait();
        },
      },
    });
    expect(outcome).toMatchObject({ status: 'connected', scopes: ['api.read', 'api.write'] });
    expect(shown).toEqual(['012345']);
  });

  it('rejects with answer_missing and the argument that is needed', async () => {
    const { agent } = anonymous();
    const error = await failure(agent.connect({ service: SERVICE, claim: true }));
    expect([error.code, error.next]).toEqual([
      'answer_missing',
      { command: 'connect', args: [SERVICE, '--email', 'EMAIL', '--claim'], needs: ['EMAIL'] },
    ]);
  });

  it('takes scopes that nobody said for unknown, not for missing', async () => {
    const { agent, web } = anonymous();
    const silent = { pre_claim_scopes: undefined, post_claim_scopes: undefined };
    web.on(ENDPOINT.identity, json(ANSWER.anonymous(silent)));
    web.on(ENDPOINT.token, json(ANSWER.token({ scope: undefined })));
    web.on(ENDPOINT.claim, json(ANSWER.attempt()));
    const wanted = { service: SERVICE, scopes: ['api.write'], email: ALICE } as const;
    expect((await agent.connect({ service: SERVICE })).status).toBe('connected');
    expect((await agent.connect(wanted)).status).toBe('claim_pending');
  });

  it('leaves what it registered when its caller aborts', async () => {
    const { agent, store, web } = anonymous();
    const controller = new AbortController();
    const { steps, onStep } = listen();
    const run = agent.connect({
      service: SERVICE,
      leave: true,
      signal: controller.signal,
      call: '/api/resource',
      onStep: (told) => {
        onStep(told);
        if (told.step === 'token') controller.abort();
      },
    });
    expect((await failure(run)).code).toBe('aborted');
    expect(steps).toEqual(['discover', 'register', 'token', 'leave left']);
    expect(web.sent(ENDPOINT.revoke)).toHaveLength(1);
    expect((await store.read()).services).toEqual([]);
  });

  it('leaves nothing that another process registered meanwhile', async () => {
    const bench = anonymous();
    const { agent, store, web } = bench;
    const other = bench.another();
    const email = async () => {
      await other.register({ service: SERVICE, type: 'anonymous' });
      web.on(ENDPOINT.identity, json(ANSWER.serviceAuth()));
      return ALICE;
    };
    const { steps, onStep } = listen();
    await agent.connect({
      service: SERVICE,
      type: 'service_auth',
      leave: true,
      user: { email },
      onStep,
    });
    expect(steps.at(-1)).toBe('leave left');
    const { services } = await store.read();
    expect(services.flatMap(({ registrations }) => registrations)).toMatchObject([{ id: 'reg_1' }]);
  });
});
