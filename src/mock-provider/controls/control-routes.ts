import { controlProblem } from '../../mock/controls/control-problem.ts';
import type { ControlRoute } from '../../mock/controls/control-routes.ts';
import { readControlBody, readPathText } from '../../mock/controls/read-control.ts';
import { instant } from '../../protocol/instant.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import type { MintedIdJag, WantedIdJag } from '../tokens/mint-as-asked.ts';
import { decisionRoutes } from './decision-routes.ts';
import type { ProviderControls } from './provider-controls.ts';
import { policyJson, readPolicy } from './read-policy.ts';
import { readWanted } from './read-wanted.ts';

/**
 * `/__mock/outbox`: the events for services, sent or still to be sent, and sending one again. `/__mock/mint`: an ID-JAG
 * as it is asked. `/__mock/policy`: the rules that decide what clients reach.
 */
export function providerControlRoutes(
  controls: ProviderControls,
  outbox: Outbox,
  mint: (wanted: WantedIdJag) => Promise<MintedIdJag>,
): readonly ControlRoute[] {
  return [
    ...decisionRoutes(controls),
    {
      method: 'POST',
      path: '/mint',
      run: async (c) => {
        const { idJag, ...said } = await mint(readWanted(await readControlBody(c)));
        return { id_jag: idJag, ...said };
      },
    },
    {
      method: 'GET',
      path: '/policy',
      run: async () => ({ policy: policyJson(await controls.policy()) }),
    },
    {
      method: 'POST',
      path: '/policy',
      run: async (c) => {
        const rules = readPolicy(await readControlBody(c));
        return { policy: policyJson(await controls.setPolicy(rules)) };
      },
    },
    {
      method: 'GET',
      path: '/outbox',
      run: async () => ({ events: (await outbox.list()).map(body) }),
    },
    {
      method: 'POST',
      path: '/outbox/:id/send',
      run: async (c) => {
        const entry = await outbox.sendAgain(readPathText(c, 'id'));
        if (entry === undefined) throw controlProblem('not_found', 'There is no such event.');
        return body(entry);
      },
    },
  ];
}

function body(entry: OutboxEntry): JsonObject {
  const { problem } = entry;
  return {
    id: entry.id,
    issuer: entry.issuer,
    audience: entry.audience,
    subject: entry.subject,
    email: entry.email,
    revoked_at: instant(entry.revokedAt),
    state: entry.state,
    attempts: entry.attempts,
    last_attempt_at: entry.lastAttemptAt === undefined ? null : instant(entry.lastAttemptAt),
    next_attempt_at: entry.nextAttemptAt === undefined ? null : instant(entry.nextAttemptAt),
    problem: problem
      ? { code: problem.code, status: problem.status ?? null, text: problem.text ?? null }
      : null,
  };
}
