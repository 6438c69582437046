import { defect, type Read } from '../defect.ts';
import { inBlock } from '../find-block.ts';
import type { Defect } from '../model.ts';
import { refusals } from '../refusals.ts';
import { isSamePlace } from '../url.ts';

export function aboutRegister({
  found,
  registers,
  chosen,
  endpoints,
  wanted,
}: Read): readonly Defect[] {
  const list: Defect[] = [];
  const { document } = found;
  const at = (member: string) => [document, inBlock(found, member)] as const;
  if (found.at === '' && found.isWhole) {
    list.push(
      defect(
        'agent-auth-at-top-level',
        'warning',
        [document, chosen?.member ?? 'identity_endpoint'],
        'The members of agent_auth stand at the top level.',
        'Put them into an object named agent_auth.',
      ),
    );
  }
  if (registers.length === 0) {
    list.push(
      defect(
        'register-url-missing',
        'error',
        at('identity_endpoint'),
        'Nothing says where an agent registers.',
        'Name the URL in identity_endpoint, or leave agent_auth out.',
      ),
    );
  }
  for (const { member, document: its, says } of refusals(found)) {
    list.push(
      defect(
        'says-no-registration',
        'warning',
        [its, member],
        `It says that nobody registers here: ${says}.`,
        'Leave agent_auth out where there is nothing to register.',
      ),
    );
  }
  if (chosen?.age === 'old' && !registers.some(({ age }) => age === 'new')) {
    list.push(
      defect(
        'register-url-older-name',
        'warning',
        [document, chosen.member],
        'The URL has the name of version 0.1 alone.',
        'Add identity_endpoint with the same URL.',
      ),
    );
  }
  if (chosen?.age === 'unknown') {
    list.push(
      defect(
        'register-url-unknown-name',
        'warning',
        [document, chosen.member],
        'The URL has a name that no version of this protocol uses.',
        'Name it identity_endpoint.',
      ),
    );
  }
  if (chosen !== undefined && isSamePlace(endpoints.register, endpoints.token)) {
    list.push(
      defect(
        'register-url-is-token-endpoint',
        'warning',
        [document, chosen.member],
        'One URL is given for the registration and for tokens.',
        'Give each its own URL, or leave token_endpoint out.',
      ),
    );
  }
  if (wanted.length > 0) {
    list.push(
      defect(
        'own-members-demanded',
        'warning',
        at('registration_methods'),
        `A registration is described with members of its own: ${wanted.join(', ')}.`,
        'Accept a registration without them, or say in the skill file what they mean.',
      ),
    );
  }
  return list;
}
