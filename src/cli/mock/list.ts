import { specificationState } from '../../protocol/states.ts';
import { displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { localTime } from '../terminal/time.ts';
import { callControl } from './controls/call-control.ts';
import { callRegistration } from './controls/call-registration.ts';
import { findMock } from './controls/find-mocks.ts';
import {
  type MockRegistration,
  presentMockRegistration,
  readRegistration,
  readRegistrations,
  registrationJson,
} from './mock-registration.ts';

/** What is registered at the running mock service; with an id, everything about that one. */
export async function mockList(context: Context, id: string | undefined): Promise<Outcome> {
  const target = await findMock(context, 'service');
  if (id === undefined) {
    const body = await callControl(context, target, '/registrations');
    context.output.result(presentMockRegistrations(target.issuer, readRegistrations(body)));
    return 'done';
  }
  const body = await callRegistration(context, target, { id });
  context.output.result(presentMockRegistration(readRegistration(body)));
  return 'done';
}

const COLUMNS = ['registration', 'type', 'state', 'in the specification', 'user', 'since'];

function presentMockRegistrations(
  issuer: string,
  registrations: readonly MockRegistration[],
): Rendering {
  const named = registrations.some(({ agentName }) => agentName !== undefined);
  return {
    schema: 'mockList',
    wraps: true,
    json: () => ({ service: issuer, registrations: registrations.map(registrationJson) }),
    human: (style, columns) =>
      registrations.length === 0
        ? `No registrations at ${issuer}.`
        : table(
            [
              [...COLUMNS, ...(named ? ['calls itself'] : [])].map((name) => style.bold(name)),
              ...registrations.map(({ id, type, state, who, createdAt, agentName }) => [
                id,
                type,
                state,
                specificationState(state, type) ?? '–',
                displayText(who ?? '–', 60),
                localTime(Date.parse(createdAt)),
                ...(named ? [displayText(agentName ?? '–', 40)] : []),
              ]),
            ],
            columns,
          ),
  };
}
