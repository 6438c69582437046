import { AgentError } from '../../agent/index.ts';
import { nextTool } from '../answer/answer.ts';
import { idText, registrationJson, serviceJson } from '../describe/registration.ts';
import { explain } from '../errors/explain.ts';
import { givenUrl, requireAllowedId } from '../service/choose-service.ts';
import { ACTS_ONCE, defineTool } from '../tool.ts';
import { output, service, word } from './schema.ts';

/** Ids in the text of an error. */
const MOST_NAMED = 10;

const NOT_FOUND: readonly string[] = ['registration_unknown', 'registration_ambiguous'];

export const switchRegistration = defineTool({
  name: 'switch_registration',
  title: 'Use another registration',
  description:
    'Takes another stored registration into use, for example of another user or another service: later calls without a service use it. get_status lists what there is. Nothing is sent.',
  input: {
    registration: word(500, 'The registration_id as get_status shows it, or the beginning of it.'),
    service: service.describe('Only among the registrations of this service: its URL.'),
  },
  output: output(['in_use'], ['registration', 'previous_registration_id']),
  annotations: { ...ACTS_ONCE, openWorldHint: false },
  run: async (world, input, call) => {
    const named = input.service ? givenUrl(world, input.service, 'service') : undefined;
    call.about.service = named;
    await requireAllowedId(world, input.registration);
    const request = { registrationId: input.registration, service: named };
    const used = await world.agent.use(request).catch(async (error: unknown) => {
      if (!(error instanceof AgentError) || !NOT_FOUND.includes(error.code)) throw error;
      // With every registration that there is.
      const { services } = await world.store.read();
      const all = services.flatMap(({ registrations }) => registrations);
      const ids = all.slice(0, MOST_NAMED).map((one) => idText(world, one));
      const rest = all.length - ids.length;
      const more = rest > 0 ? `, and ${rest} more in registrations` : '';
      throw explain(error, world, call.about).with({
        hint: ids.length === 0 ? undefined : `There are: ${ids.join(', ')}${more}.`,
        next: nextTool('switch_registration', {}, ['registration']),
        details: { registrations: all.map((one) => registrationJson(world, one)) },
      });
    });
    const { registration, previous } = used;
    const at = { service: registration.resource };
    const isUsable = registration.assertion !== null || registration.token !== null;
    return {
      status: 'in_use',
      lines: ['That registration is in use now.'],
      data: {
        service: serviceJson(world, { ...used.service, resource: registration.resource }),
        registration: registrationJson(world, registration),
        previous_registration_id: previous ? idText(world, previous) : null,
      },
      next: isUsable ? nextTool('call', at, ['target']) : nextTool('start_claim', at),
    };
  },
});
