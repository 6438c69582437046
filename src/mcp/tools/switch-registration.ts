import * as z from 'zod';
import { AgentError } from '../../agent/index.ts';
import { idText, registrationJson, serviceJson } from '../describe/registration.ts';
import { explain } from '../errors/explain.ts';
import { ToolError } from '../errors/tool-error.ts';
import { nextJson, nextText, nextTool } from '../next/next.ts';
import { givenUrl, requireAllowed } from '../service/choose-service.ts';
import { defineTool } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { service } from './inputs.ts';
import * as out from './outputs.ts';

export const switchRegistration = defineTool({
  name: 'switch_registration',
  title: 'Use another registration',
  description:
    'Takes another stored registration into use, for example of another user or another service: later calls without a service use it. get_status lists what there is. Nothing is sent.',
  input: z.strictObject({
    registration: z
      .string()
      .min(1)
      .max(500)
      .describe('The registration_id as get_status shows it, or the beginning of it.'),
    service: service.describe('Only among the registrations of this service: its URL.'),
  }),
  output: out.output(['in_use'], {
    registration: out.registration,
    previous_registration_id: z.string().nullable(),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  isReading: false,
  run: async (world, input, call) => {
    const named = input.service && givenUrl(world, input.service, 'service');
    if (named) call.about.service = named;
    await requireAllowedId(world, input.registration);
    try {
      const {
        registration,
        service: at,
        previous,
      } = await world.agent.use({
        registrationId: input.registration,
        service: named,
      });
      const next =
        registration.assertion === null && registration.token === null
          ? nextTool('start_claim', { service: registration.resource })
          : nextTool('call', { service: registration.resource }, ['target']);
      return {
        lines: ['That registration is in use now.', nextText(next)],
        data: {
          status: 'in_use',
          service: serviceJson(world, { ...at, resource: registration.resource }),
          registration: registrationJson(world, registration),
          previous_registration_id: previous == null ? null : idText(world, previous),
          next: nextJson(next),
        },
      };
    } catch (error) {
      throw await withList(world, explain(error, world, call.about), error);
    }
  },
});

/** A registration of an origin that this server is not for stays out of use. */
export async function requireAllowedId(world: McpWorld, id: string): Promise<void> {
  if (world.only === undefined) return;
  const { services } = await world.store.read();
  const found = services.filter(({ registrations }) =>
    registrations.some((one) => one.id === id || one.id.startsWith(id)),
  );
  for (const { resource } of found) requireAllowed(world, resource);
}

/** Ids in the text of an error. */
const MOST_NAMED = 10;

const NOT_FOUND: readonly string[] = ['registration_unknown', 'registration_ambiguous'];

/** The error with every registration that there is. */
async function withList(world: McpWorld, error: ToolError, cause: unknown): Promise<ToolError> {
  if (!(cause instanceof AgentError) || !NOT_FOUND.includes(cause.code)) return error;
  const { services } = await world.store.read();
  const { message, code } = error;
  const all = services.flatMap(({ registrations }) => registrations);
  const ids = all.slice(0, MOST_NAMED).map((one) => idText(world, one));
  const more =
    all.length > MOST_NAMED ? `, and ${all.length - MOST_NAMED} more in registrations` : '';
  return new ToolError(message, {
    code,
    hint: ids.length === 0 ? undefined : `There are: ${ids.join(', ')}${more}.`,
    next: nextTool('switch_registration', {}, ['registration']),
    details: {
      registrations: all.map((one) => registrationJson(world, one)),
    },
    cause,
  });
}
