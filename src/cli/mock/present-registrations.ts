import { displayText } from '../../protocol/text.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import { table } from '../terminal/table.ts';
import type { MockRegistration } from './controls/mock-registration.ts';

export function presentMockRegistrations(
  issuer: string,
  registrations: readonly MockRegistration[],
): Rendering {
  return {
    schema: 'mockList',
    json: () => ({ service: issuer, registrations: registrations.map(({ body }) => body) }),
    human: (style) =>
      registrations.length === 0
        ? `Nothing is registered at ${issuer}.`
        : table([
            ['registration', 'type', 'state', 'user', 'since'].map((name) => style.bold(name)),
            ...registrations.map(({ id, type, state, who, createdAt }) => [
              id,
              type,
              state,
              displayText(who ?? '–', 60),
              createdAt,
            ]),
          ]),
  };
}

/** One registration, member by member as the service has it. */
export function presentMockRegistration({ body, id, state }: MockRegistration): Rendering {
  return {
    schema: 'mockRegistration',
    json: () => body,
    human: (style) => {
      const members = Object.entries(body).filter(
        ([name, value]) => value !== null && name !== 'registration_id' && name !== 'state',
      );
      return [
        `${style.bold(id)}  ${state}`,
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
