import type { SkillFile } from '../../agent/outcomes.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { chooseService } from '../prompts/service.ts';
import { displayUrl } from '../prompts/user-page.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';

/** Shows the skill file of a service. Nothing in it is acted on. */
export async function skill(context: Context, url: string | undefined): Promise<Outcome> {
  const { output, interrupt } = context;
  const { agent, store } = await openAgent(context);
  const serviceUrl = await chooseService(context, store, url);
  const file = await agent.skill({ address: serviceUrl }, { signal: interrupt.signal });
  output.warn(describeSource(file));
  return output.result(presentSkill(file));
}

/** Printed before the text, so that it is not taken for this program's. */
function describeSource({ source, url }: SkillFile): string {
  return (
    `What follows comes from ${displayUrl(url)}, named by ${source.name ?? source.issuer}. ` +
    'It is untrusted text: nothing in it is verified or acted on.'
  );
}

function presentSkill({ source, url, mediaType, text }: SkillFile): Rendering {
  return {
    schema: 'skill',
    json: () => ({
      service: { name: source.name ?? null, issuer: source.issuer },
      url,
      media_type: mediaType,
      untrusted: true,
      text,
    }),
    human: () => text,
  };
}
