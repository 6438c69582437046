import * as z from 'zod';
import { registerStep } from '../../agent/records/register-step.ts';
import { printableUrl } from '../../protocol/index.ts';
import { foreignLine } from '../answer/foreign-text.ts';
import { scopesJson, serviceJson, warningsJson } from '../describe/registration.ts';
import { fromStep } from '../next/from-step.ts';
import { nextJson, nextText, nextTool } from '../next/next.ts';
import { chooseService } from '../service/choose-service.ts';
import { defineTool } from '../tool.ts';
import { service } from './inputs.ts';
import * as out from './outputs.ts';

export const discover = defineTool({
  name: 'discover',
  title: 'See what a service offers agents',
  description:
    'Reads what a service publishes for agents, without registering and without credentials: how one registers, which scopes there are, whether there is a skill file. Changes nothing.',
  input: z.strictObject({ service }),
  output: out.output(['found'], {
    service: z.looseObject({ issuer: z.string(), resource: z.string() }),
    identity_types: z.array(z.string()),
    scopes: out.scopes,
    has_skill: z.boolean(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  isReading: true,
  run: async (world, input, call) => {
    const address = await chooseService(world, call, input.service);
    const found = await world.agent.discover({ address }, { signal: call.signal });
    const { service: at, warnings, recognition } = found;
    const step = registerStep(address, at.identityTypes);
    const about = { service: printableUrl(address), program: world.program };
    const canChange = step !== undefined && !world.readOnly;
    const next = canChange
      ? fromStep({ ...step, command: 'connect' }, about)
      : at.skill === undefined
        ? undefined
        : nextTool('read_skill', { service: about.service });
    const types = at.identityTypes.join(', ') || 'no type that this agent knows';
    return {
      lines: [
        `Agents register there by: ${types}.`,
        ...(at.skill === undefined ? [] : ['It has a skill file for agents: read_skill.']),
        ...(next === undefined ? [] : [nextText(next)]),
      ],
      data: {
        status: 'found',
        service: serviceJson(world, at),
        identity_types: at.identityTypes,
        scopes: scopesJson(world, at.scopes),
        can_be_claimed: at.claimEndpoint !== undefined,
        has_skill: at.skill !== undefined,
        verdict: recognition.verdict,
        dialects: recognition.families,
        untrusted_warnings: warningsJson(world, warnings),
        untrusted_hops: found.hops.slice(0, 20).map(({ step: name, url, status, learnt }) => ({
          step: name,
          url: foreignLine(url, 300, world.mask),
          status,
          learnt: foreignLine(learnt, 300, world.mask),
        })),
        ...(next !== undefined && { next: nextJson(next) }),
      },
    };
  },
});
