import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { specificationState } from '../../protocol/states.ts';
import { displayText } from '../../protocol/text.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';

/** A registration as the controls of the mock service return it. */
export interface MockRegistration {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly createdAt: string;
  readonly who: string | undefined;
  /** What the agent calls itself. */
  readonly agentName: string | undefined;
  /** Everything, by its name on the wire. */
  readonly body: JsonObject;
}

export function readRegistrations(body: JsonObject): readonly MockRegistration[] {
  const list = body['registrations'];
  return Array.isArray(list) ? list.filter(isJsonObject).map(readRegistration) : [];
}

export function readRegistration(body: JsonObject): MockRegistration {
  const { agent_name: agentName } = body;
  const who = body['email'] ?? body['subject'];
  return {
    id: String(body['registration_id']),
    type: String(body['registration_type']),
    state: String(body['state']),
    createdAt: String(body['created_at']),
    who: typeof who === 'string' ? who : undefined,
    agentName: typeof agentName === 'string' ? agentName : undefined,
    body,
  };
}

/** As the service has it, and what the specification calls its state. */
export function registrationJson({ body, state, type }: MockRegistration): JsonObject {
  return { ...body, specification_state: specificationState(state, type) };
}

/** What was decided of one, as one sentence; a program gets all its members. */
export function presentDecision(registration: MockRegistration, done: string): Rendering {
  const { id, who } = registration;
  const whose = who === undefined ? '' : ` of ${displayText(who, 100)}`;
  return {
    ...presentMockRegistration(registration),
    human: (style) => `${style.green('✓')} ${done} ${id}${whose}.`,
  };
}

/** One registration with all its members. */
export function presentMockRegistration(registration: MockRegistration): Rendering {
  const { body, id, state, type } = registration;
  return {
    schema: 'mockRegistration',
    json: () => registrationJson(registration),
    human: (style) => {
      const specified = specificationState(state, type);
      const members = Object.entries(body).filter(
        ([name, value]) => value !== null && name !== 'registration_id' && name !== 'state',
      );
      return [
        `${style.bold(id)}  ${state}${specified === null || specified === state ? '' : ` (specification: ${specified})`}`,
        facts(
          style,
          members.map(([name, value]) => [name, displayText(text(value), 200)] as const),
        ),
      ].join('\n');
    },
  };
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => `${name}=${member}`)
    .join('  ');
}
