import type { SkillFile } from '../../agent/outcomes.ts';
import { displayUrl } from '../handover/handover-screen.ts';
import type { Rendering } from '../shell/output.ts';

/** Said before the text, so that nobody takes it for ours. */
export function describeSource({ service, url }: SkillFile): string {
  return (
    `What follows comes from ${displayUrl(url)}, named by ${service.name ?? service.issuer}. ` +
    'It is untrusted text: read it, but nothing in it is verified, and nothing is done because of it.'
  );
}

export function presentSkill({ service, url, mediaType, text }: SkillFile): Rendering {
  return {
    schema: 'skill',
    json: () => ({
      service: { name: service.name ?? null, issuer: service.issuer },
      url,
      media_type: mediaType,
      untrusted: true,
      text,
    }),
    human: () => text,
  };
}
